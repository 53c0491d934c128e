import { dirname } from "node:path";
import { declaredSections } from "@haft/core/kernel";
import { type HaftConfig, type LoadedConfig, type NodeRuntimeOptions, resolveRole } from "@haft/runtime-node";
import { renderInline } from "@haft/text";
import { serverSecrets } from "../mount/server-address.js";
import { absentTools } from "./absent-tools.js";
import { type ChosenTools, choosePacks } from "./choose-packs.js";
import type { RuntimeChoices } from "./runtime-choices.js";

interface CommandOptions extends Pick<ChosenTools, "packageOf" | "canBlock"> {
  readonly options: NodeRuntimeOptions;
  readonly servers: NonNullable<HaftConfig["mcpServers"]>;
}

interface CommandSurroundings {
  readonly workspace: string;
  /** The folder that relative pack paths of the command line start from. */
  readonly from: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether packs that cannot be used are left out with a warning. */
  readonly skipsBroken: boolean;
  warn(text: string): void;
}

/** Combines a configuration with the options of a command, which take precedence, and imports the packs. */
export async function commandOptions(
  { config, file, untrusted }: LoadedConfig,
  choices: Pick<RuntimeChoices, "packs" | "role" | "mcpServers">,
  { workspace, from, env, skipsBroken, warn }: CommandSurroundings,
): Promise<CommandOptions> {
  const { packs, tools: switches, mcpServers, ...settings } = config;
  const servers = { ...mcpServers, ...choices.mcpServers };
  const { tools, packageOf, canBlock, leftOut } = await choosePacks({
    names: choices.packs ?? packs,
    from: choices.packs !== undefined || file === undefined ? from : dirname(file),
    isTrusted: choices.packs !== undefined || untrusted === undefined,
    workspace,
    contain: config.containPacks === true,
    callMs: config.limits?.callMs,
    warn,
    ...(skipsBroken && { skip: warnSkipped(warn) }),
  });
  const role = choices.role ?? config.role ?? "coder";
  const named = { ...config, mcpServers: servers };
  const options: NodeRuntimeOptions = {
    ...settings,
    workspace,
    tools,
    disabledTools: switches?.disabled ?? [],
    // Unless the command line names other packs, a rule for an unknown tool is a mistake.
    isComplete: choices.packs === undefined,
    isAddedLater: await absentTools({ config: named, role, tools, leftOut, untrusted, warn }),
    ...(leftOut.length > 0 && { packConfig: knownSections(settings.packConfig, tools) }),
    knownSecrets: [...(settings.knownSecrets ?? []), ...serverSecrets(servers, env)],
    role,
    roles: [...(config.roles ?? []), ...(await nameOfRole(config.role))],
    env,
  };
  return { options, packageOf, canBlock, servers };
}

function warnSkipped(warn: (text: string) => void): (reason: string) => void {
  return (reason) => warn(`haft: skipped a pack: ${renderInline(reason, { maxChars: 600 })}\n`);
}

function knownSections(
  packConfig: HaftConfig["packConfig"] = {},
  tools: ChosenTools["tools"],
): Readonly<Record<string, unknown>> {
  const known = declaredSections(tools);
  return Object.fromEntries(Object.entries(packConfig).filter(([section]) => known.includes(section)));
}

/** The name of a configuration's role, which its rules may use also while `--role` selects another. */
async function nameOfRole(role: HaftConfig["role"]): Promise<readonly string[]> {
  if (role === undefined) return [];
  try {
    return [(await resolveRole(role)).name];
  } catch {
    // A role that is used reports its own problem.
    return [];
  }
}

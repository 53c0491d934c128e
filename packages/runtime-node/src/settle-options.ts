import { realpath } from "node:fs/promises";
import {
  type AnyToolClass,
  catalog,
  definitionOf,
  type PlainTool,
  type PolicyRule,
  type Redact,
  type Role,
} from "@haft/core";
import { packConfigServices } from "@haft/core/kernel";
import { type PolicyParts, toolsNamedBy } from "@haft/core/policy";
import { assertKnownOptions } from "./assert-known-options.js";
import { assertOutsideState, checkWorkspace } from "./check-workspace.js";
import { checkCommands } from "./config/check-commands.js";
import { checkPathPatterns } from "./config/check-path-patterns.js";
import { stateDirectoryOf, stateHome } from "./journal/state-directory.js";
import { type WebAccess, webAccess } from "./network/web-access.js";
import type { NodeRuntimeOptions } from "./node-runtime-options.js";
import { loadProgramPacks } from "./packs/load-program-packs.js";
import { policyParts } from "./policy-parts.js";
import { assertKnownTools, type NamedTools } from "./roles/known-tools.js";
import { resolveRole } from "./roles/resolve-role.js";
import { createRedactor } from "./secrets/redactor.js";
import { type SecretValue, secretValues } from "./secrets/secret-values.js";

/** The options with defaults, and everything that was looked up for them. */
export interface SettledOptions {
  readonly options: NodeRuntimeOptions & Required<Pick<NodeRuntimeOptions, "env" | "stateDirectory">>;
  readonly folder: string;
  readonly role: Role;
  readonly tools: readonly (AnyToolClass | PlainTool)[];
  readonly disabledTools: readonly string[];
  /** The imported tools that the options exclude. */
  readonly imported: readonly string[];
  readonly decides: PolicyParts;
  readonly web: WebAccess;
  readonly redact: Redact;
}

/**
 * Checks options without opening anything. Rejects with ToolError if the folder, the role, a rule, a tool or a pack's
 * configuration is invalid.
 */
export async function settleOptions(given: NodeRuntimeOptions): Promise<SettledOptions> {
  assertKnownOptions(given);
  const folder = await checkWorkspace(given.workspace);
  const env = given.env ?? process.env;
  const realRoot = await realpath(folder);
  const stateDirectory = given.stateDirectory ?? stateDirectoryOf(realRoot, env);
  await assertOutsideState(realRoot, [stateHome(env), stateDirectory]);
  const options = { ...given, env, stateDirectory };
  const role = await resolveRole(options.role ?? "coder");
  const secrets = secretValues({ env, ...(options.knownSecrets && { knownSecrets: options.knownSecrets }) });
  const web = webAccess(options.web, { ...options, env });
  const tools = await toolsOf(options);
  if (options.commands !== undefined) checkCommands(options.commands);
  if (options.paths !== undefined) checkPathPatterns(options.paths, folder);
  const decides = policyParts(options, { role, secrets, tools, folder });
  const disabledTools = disabledBy(options);
  const imported = catalog.snapshot().map((toolClass) => definitionOf(toolClass).name);
  assertKnownTools(namedTools(options, role, disabledTools), tools, { ...options, imported });
  if (options.packConfig !== undefined) await packConfigServices(tools, options.packConfig);
  return {
    options,
    folder,
    role,
    tools,
    disabledTools,
    imported: isToolList(options.tools) ? imported : [],
    decides,
    web,
    redact: redactOf(options, secrets),
  };
}

async function toolsOf({
  tools,
  packs,
  packsFrom,
  containPacks,
}: NodeRuntimeOptions): Promise<readonly (AnyToolClass | PlainTool)[]> {
  if (isToolList(tools)) return tools;
  if (packs === undefined) return catalog.snapshot();
  const loaded = await loadProgramPacks(packs, { from: packsFrom, contain: containPacks });
  return [...new Set(loaded.flatMap((pack) => pack.tools))];
}

function namedTools(
  { rules = [] }: NodeRuntimeOptions,
  role: Role,
  disabledTools: readonly string[],
): readonly NamedTools[] {
  const ofRules = (list: readonly PolicyRule[]) => list.flatMap(toolsNamedBy);
  return [
    { where: `The role ${role.name}`, names: role.tools ?? [] },
    { where: `The role ${role.name}`, names: ofRules(role.rules ?? []), areRules: true },
    { where: "A rule", names: ofRules(rules), areRules: true },
    { where: "The list of disabled tools", names: disabledTools },
  ];
}

function disabledBy({ tools, disabledTools = [] }: NodeRuntimeOptions): readonly string[] {
  return isToolList(tools) ? disabledTools : [...disabledTools, ...(tools?.disabled ?? [])];
}

function isToolList(tools: NodeRuntimeOptions["tools"]): tools is readonly (AnyToolClass | PlainTool)[] {
  return Array.isArray(tools);
}

function redactOf({ redact }: NodeRuntimeOptions, secrets: readonly SecretValue[]): Redact {
  const own = createRedactor(secrets);
  return redact === undefined ? own : (value) => redact(own(value));
}

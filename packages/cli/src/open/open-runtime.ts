import { dirname, resolve } from "node:path";
import { createNodeRuntime, loadConfig, type NodeRuntime, type NodeRuntimeOptions } from "@haft/runtime-node";
import type { CliIo } from "../cli-io.js";
import { mountServers, toolPrefix } from "../mount/mount-servers.js";
import { serverSecrets } from "../mount/server-address.js";
import { type ChosenTools, choosePacks } from "./choose-packs.js";
import type { RuntimeChoices } from "./runtime-choices.js";

export interface OpenedRuntime extends Pick<ChosenTools, "packageOf"> {
  readonly runtime: NodeRuntime;
  /** Adds the tools of the configuration's MCP servers, which end with the runtime. Never rejects. */
  mountServers(): Promise<void>;
}

/** What a command decides by itself, whatever the configuration says. */
export type CommandParts = Pick<
  NodeRuntimeOptions,
  "approver" | "decidable" | "readBeforeWrite" | "acceptsImages" | "approvals"
>;

/** A runtime as options and configuration ask for it; options win. */
export async function openRuntime(
  choices: RuntimeChoices,
  io: CliIo,
  parts: CommandParts = {},
): Promise<OpenedRuntime> {
  const workspace = resolve(io.cwd, choices.workspace ?? ".");
  const file = choices.config === undefined ? {} : { file: resolve(io.cwd, choices.config) };
  const { config, file: configFile } = await loadConfig({ workspace, ...file });
  const { packs, tools: switches, mcpServers: servers = {}, ...settings } = config;
  const { tools, packageOf } = await choosePacks({
    names: choices.packs ?? packs,
    from: choices.packs !== undefined || configFile === undefined ? io.cwd : dirname(configFile),
    isNamedByHost: choices.packs !== undefined || choices.config !== undefined,
    workspace,
  });
  const runtime = await createNodeRuntime({
    ...settings,
    ...parts,
    // How long somebody is waited for is the one thing a configuration knows better.
    approvals: { ...parts.approvals, ...settings.approvals },
    workspace,
    tools,
    disabledTools: switches?.disabled ?? [],
    // With all first-party packs at hand a tool that is not there is a mistake, whatever it is called.
    isComplete: choices.packs === undefined && packs === undefined,
    isAddedLater: (name) => Object.keys(servers).some((server) => name.startsWith(toolPrefix(server))),
    knownSecrets: [...(settings.knownSecrets ?? []), ...serverSecrets(servers, io.env)],
    role: choices.role ?? config.role ?? "coder",
    ...(choices.dialect === undefined ? {} : { dialect: choices.dialect }),
    env: io.env,
  });
  const isNamedByHost = choices.config !== undefined;
  return {
    runtime,
    packageOf,
    mountServers: () => mountServers({ servers, isNamedByHost, configFile }, runtime, io),
  };
}

/** Opens a runtime, works with it, and lets go of it whatever happens. */
export async function withRuntime<T>(
  opening: Promise<OpenedRuntime>,
  work: (opened: OpenedRuntime) => Promise<T>,
): Promise<T> {
  const opened = await opening;
  try {
    await opened.mountServers();
    return await work(opened);
  } finally {
    await opened.runtime.dispose();
  }
}

import { resolve } from "node:path";
import type { PolicyRule } from "@haft/core";
import { toolsNamedBy } from "@haft/core/policy";
import {
  type HaftConfig,
  type NodeRuntime,
  type NodeRuntimeOptions,
  prepareNodeRuntime,
} from "@haft/runtime-node";
import type { CliIo } from "../cli-io.js";
import { mountServers } from "../mount/mount-servers.js";
import { printNote } from "../output/print.js";
import { type ConfigOpening, openConfig } from "../trust/open-config.js";
import type { ChosenTools } from "./choose-packs.js";
import { commandOptions } from "./command-options.js";
import type { RuntimeChoices } from "./runtime-choices.js";

export interface CommandRuntime extends Pick<ChosenTools, "packageOf"> {
  readonly runtime: NodeRuntime;
  /** The rules of the role and of the configuration. */
  readonly rules: readonly PolicyRule[];
  /** The effective configuration. */
  readonly config: HaftConfig;
  /** False if an untrusted configuration was found. */
  readonly isTrusted: boolean;
  /** Whether a configuration exists. */
  readonly isConfigured: boolean;
  /** Adds the tools of the configured MCP servers, which stop with the runtime. Never rejects. */
  mountServers(): Promise<void>;
}

/** Options a command sets itself, independent of the configuration. */
export type CommandParts = Pick<
  NodeRuntimeOptions,
  | "approver"
  | "decidable"
  | "readBeforeWrite"
  | "acceptsImages"
  | "approvals"
  | "commands"
  | "guardPolicies"
  | "warm"
> &
  ConfigOpening;

/** Approvals may wait overnight. */
export const OVERNIGHT = { timeoutMs: 24 * 60 * 60 * 1000 } as const;

/** Sessions run unlisted commands in the box and ask about the changes they make. */
export const IN_THE_BOX: Pick<CommandParts, "commands"> = { commands: { onUnlisted: "box" } };

/** Options and configuration have been checked; the runtime is not open yet. */
interface PreparedRuntime {
  open(attached?: Pick<NodeRuntimeOptions, "approver">): Promise<CommandRuntime>;
}

/** Opens a runtime from options and configuration. Options take precedence. */
export async function openRuntime(
  choices: RuntimeChoices,
  io: CliIo,
  parts?: CommandParts,
): Promise<CommandRuntime> {
  return (await prepareRuntime(choices, io, parts)).open();
}

/** Loads the configuration and validates it together with the options. */
export async function prepareRuntime(
  choices: RuntimeChoices,
  io: CliIo,
  { asksForTrust, warn, ...parts }: CommandParts = {},
): Promise<PreparedRuntime> {
  const workspace = resolve(io.cwd, choices.workspace ?? ".");
  const opening = { ...(asksForTrust && { asksForTrust }), ...(warn && { warn }) };
  const loaded = await openConfig(choices, io, opening);
  const { config, file: configFile, untrusted } = loaded;
  const { options, packageOf, canBlock, servers } = await commandOptions(loaded, choices, {
    workspace,
    from: io.cwd,
    env: io.env,
    warn: warn ?? ((text) => printNote(io.stderr, text)),
    // A broken pack in the configuration must not disable the others.
    skipsBroken: choices.packs === undefined,
  });
  const { dialect } = choices;
  const prepared = await prepareNodeRuntime({ ...merged(options, parts), ...(dialect && { dialect }) });
  const open: PreparedRuntime["open"] = async (attached) => {
    const opened = await prepared.open(attached);
    const runtime = canBlock && io.stderr.isTTY === true ? await endedByCtrlC(opened) : opened;
    const rules = [...(runtime.role.rules ?? []), ...(config.rules ?? [])];
    const named = [...(runtime.role.tools ?? []), ...rules.flatMap(toolsNamedBy)];
    return {
      runtime,
      rules,
      config,
      isTrusted: untrusted === undefined,
      isConfigured: configFile !== undefined,
      packageOf,
      mountServers: () => mountServers({ servers, configFile, named }, runtime, io),
    };
  };
  return { open };
}

function merged(options: NodeRuntimeOptions, parts: CommandParts): NodeRuntimeOptions {
  return {
    ...options,
    ...parts,
    // The configured approval timeout takes precedence over the command's default.
    approvals: { ...parts.approvals, ...options.approvals },
    commands: { ...parts.commands, ...options.commands },
  };
}

/** Watches for Ctrl-C until the runtime is disposed. */
async function endedByCtrlC(runtime: NodeRuntime): Promise<NodeRuntime> {
  const { watchInterrupts } = await import("./watch-interrupts.js");
  const watch = watchInterrupts();
  const dispose: NodeRuntime["dispose"] = (options) => runtime.dispose(options).finally(() => watch.end());
  return { ...runtime, dispose, [Symbol.asyncDispose]: () => dispose() };
}

/** Opens a runtime, passes it to `work`, and disposes it afterwards. */
export async function withRuntime<T>(
  opening: Promise<CommandRuntime>,
  work: (opened: CommandRuntime) => Promise<T>,
): Promise<T> {
  const opened = await opening;
  try {
    await opened.mountServers();
    return await work(opened);
  } finally {
    await opened.runtime.dispose();
  }
}

import { resolve } from "node:path";
import { ConfigTrust, type LoadedConfig, loadConfig, type UntrustedConfig } from "@haft/runtime-node";
import { renderInline } from "@haft/text";
import { type CliIo, isInteractive, questionIo } from "../cli-io.js";
import type { RuntimeChoices } from "../open/runtime-choices.js";
import { printNote } from "../output/print.js";

export interface ConfigOpening {
  /** Whether to ask about an untrusted configuration. Default false. */
  readonly asksForTrust?: boolean;
  /** Receives warnings about ignored settings. Default: standard error. */
  warn?(text: string): void;
}

/**
 * Loads the configuration of a command. An untrusted one can only narrow; ignored settings cause a one-line warning.
 */
export async function openConfig(
  choices: Pick<RuntimeChoices, "workspace" | "config">,
  io: CliIo,
  { asksForTrust = false, warn = (text) => printNote(io.stderr, text) }: ConfigOpening = {},
): Promise<LoadedConfig> {
  const loaded = await load(choices, io);
  const { untrusted } = loaded;
  if (untrusted === undefined || !wantsTrust(untrusted)) return loaded;
  if (asksForTrust && untrusted.decision === undefined && isInteractive(io)) {
    const { askTrust } = await import("./ask-trust.js");
    const isTrusted = await askTrust(untrusted, questionIo(io));
    if (isTrusted !== undefined) await decide(untrusted, isTrusted, io);
    if (isTrusted === true) return load(choices, io);
  }
  warn(warning(untrusted, choices));
  return loaded;
}

/** Returns whether trust would change anything. */
export function wantsTrust({ isCode, ignored }: UntrustedConfig): boolean {
  return isCode || ignored.length > 0;
}

export async function decide(
  { snapshot }: UntrustedConfig,
  isTrusted: boolean,
  { env }: CliIo,
): Promise<void> {
  await new ConfigTrust(env).decide(snapshot, isTrusted ? "trusted" : "declined");
}

function load({ workspace, config }: Pick<RuntimeChoices, "workspace" | "config">, { cwd, env }: CliIo) {
  const file = config === undefined ? {} : { file: resolve(cwd, config) };
  return loadConfig({ workspace: resolve(cwd, workspace ?? "."), env, ...file });
}

function warning(
  { snapshot, isCode, ignored }: UntrustedConfig,
  { workspace }: Pick<RuntimeChoices, "workspace">,
): string {
  const keys = [...new Set(ignored.map(({ key }) => key))].join(", ");
  const effect = isCode ? "was not executed" : `only narrows; ignored: ${keys}`;
  const where = workspace === undefined ? "" : ` --workspace ${workspace}`;
  const text = `${snapshot.file} is not trusted and ${effect}. Review and trust it: haft trust${where}`;
  return `haft: ${renderInline(text)}\n`;
}

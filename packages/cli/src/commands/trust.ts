import { realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";
import {
  ConfigTrust,
  loadConfig,
  type TrustRecord,
  takeConfigSnapshot,
  type UntrustedConfig,
} from "@haft/runtime-node";
import { renderInline } from "@haft/text";
import { type CliIo, isInteractive, questionIo } from "../cli-io.js";
import { EXIT, type ExitCode } from "../exit-code.js";
import { formatTable, tableWidth } from "../output/format-table.js";
import { printJson, printText } from "../output/print.js";
import { askTrust } from "../trust/ask-trust.js";
import { decide, wantsTrust } from "../trust/open-config.js";
import { trustView } from "../trust/trust-view.js";
import { UsageError } from "../usage-error.js";

interface TrustCommand {
  readonly workspace?: string;
  readonly list?: boolean;
  readonly revoke?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** Shows the settings of a workspace's configuration that widen access, and lets a person trust that exact content. */
export async function trust(command: TrustCommand, io: CliIo): Promise<ExitCode> {
  if (command.list === true) return list(command, io);
  if (command.revoke === true) return revoke(command, io);
  const workspace = folderOf(command, io);
  const { file, untrusted } = await loadConfig({ workspace, env: io.env });
  if (file === undefined) throw noConfig(workspace);
  if (untrusted === undefined)
    return report(command, io, { file, trusted: true, text: `already trusted: ${file}` });
  if (!wantsTrust(untrusted))
    return report(command, io, { file, trusted: false, text: `nothing to trust: ${file} only narrows` });
  const isTrusted = await answer(untrusted, command, io);
  if (isTrusted !== undefined) await decide(untrusted, isTrusted, io);
  const text = isTrusted === true ? `trusted: ${file}` : `not trusted: ${file}`;
  report(command, io, { file, trusted: isTrusted === true, text });
  return isTrusted === true ? EXIT.ok : EXIT.failed;
}

async function answer(
  untrusted: UntrustedConfig,
  { yes }: TrustCommand,
  io: CliIo,
): Promise<boolean | undefined> {
  if (yes === true) {
    const { head, content } = trustView(untrusted, 100);
    io.stderr.write(`${[...head, ...content].join("\n")}\n`);
    return true;
  }
  if (isInteractive(io)) return askTrust(untrusted, questionIo(io));
  throw new UsageError(
    "NO_TERMINAL",
    "There is no terminal to ask in",
    "Run haft trust in a terminal, trust it without review with --yes, or name the file with --config.",
  );
}

interface Report {
  readonly file: string;
  readonly trusted: boolean;
  readonly text: string;
}

function report({ json }: TrustCommand, io: CliIo, { text, ...result }: Report): ExitCode {
  if (json === true) printJson(io.stdout, result);
  else printText(io.stdout, renderInline(text));
  return EXIT.ok;
}

async function list({ json }: TrustCommand, io: CliIo): Promise<ExitCode> {
  const trusted = await new ConfigTrust(io.env).list();
  const rows = await Promise.all(
    trusted.map(async (record) => ({ ...record, state: await stateOf(record) })),
  );
  if (json === true) printJson(io.stdout, rows);
  else if (rows.length === 0) io.stderr.write("No configuration is trusted.\n");
  else
    printText(
      io.stdout,
      formatTable(
        HEADER,
        rows.map(({ file, decidedAt, state }) => [decidedAt, state, file]),
        { width: tableWidth(io), key: "FILE", spare: ["SINCE"] },
      ),
    );
  return EXIT.ok;
}

const HEADER = ["SINCE", "STATE", "FILE"];

/** Compares the trusted content with the current file. */
async function stateOf({ file, digest }: TrustRecord): Promise<"current" | "changed" | "gone"> {
  try {
    return (await takeConfigSnapshot(file)).digest === digest ? "current" : "changed";
  } catch {
    return "gone";
  }
}

/** Revokes all trust in a workspace's configurations, including deleted ones. */
async function revoke(command: TrustCommand, io: CliIo): Promise<ExitCode> {
  const workspace = folderOf(command, io);
  const store = new ConfigTrust(io.env);
  const trusted = (await store.list()).map(({ file }) => file);
  const files = [...new Set(trusted.filter((file) => dirname(file) === workspace))];
  for (const file of files) await store.revoke(file);
  if (command.json === true) printJson(io.stdout, { revoked: files });
  else
    printText(
      io.stdout,
      files.length === 0
        ? `nothing was trusted in ${renderInline(workspace)}`
        : `revoked: ${files.map((file) => renderInline(file)).join(", ")}`,
    );
  return EXIT.ok;
}

function folderOf({ workspace }: TrustCommand, { cwd }: CliIo): string {
  return realPath(resolve(cwd, workspace ?? "."));
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function noConfig(workspace: string): UsageError {
  return new UsageError(
    "NO_CONFIG",
    `${workspace} has no haft.config.ts, haft.config.js or haft.config.json`,
    "Name the folder with --workspace DIR.",
  );
}

import { existsSync, lstatSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { messageOf } from "@haft/core";
import type { CliIo } from "../cli-io.js";
import { EXIT, type ExitCode } from "../exit-code.js";
import { MCP_CLIENTS, type McpClientName, type ServerEntry } from "../install/clients.js";
import { mergeJson } from "../install/merge-json.js";
import { isInside } from "../open/is-inside.js";
import { workspaceFolder } from "../open/workspace-folder.js";
import { printText } from "../output/print.js";
import { UsageError } from "../usage-error.js";

interface McpInstallCommand {
  readonly client: McpClientName;
  readonly workspace?: string;
  readonly role?: string;
  /** Write the client's file in the workspace instead of printing the entry. */
  readonly write?: boolean;
}

/** Prints or writes the configuration that makes an MCP client start Haft. */
export async function mcpInstall(command: McpInstallCommand, io: CliIo): Promise<ExitCode> {
  const client = MCP_CLIENTS[command.client];
  const folder = workspaceFolder(command.workspace, io);
  const text = client.format(entryFor(command, folder, client.isInProject));
  if (command.write !== true) {
    printText(
      io.stderr,
      `Put this into ${client.file}${client.isInProject ? " of the project" : ""}${client.isInProject ? ", or add --write" : ""}:`,
    );
    printText(io.stdout, text);
    if (client.command !== undefined)
      printText(io.stderr, `Or run: ${client.command(entryFor(command, folder, false))}`);
    return EXIT.ok;
  }
  const file = join(folder, client.file);
  if (!client.isInProject)
    throw new UsageError(
      "USAGE",
      `${client.title} keeps its configuration in ${client.file}`,
      "Omit --write and add the printed entry yourself.",
    );
  try {
    prepareFile(file, folder);
    writeMerged(file, text);
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    throw invalidFile(`${file} cannot be written: ${messageOf(cause)}`);
  }
  printText(io.stderr, `Wrote ${client.file}. ${client.title} starts haft mcp in this folder from now on.`);
  return EXIT.ok;
}

function entryFor({ role, workspace }: McpInstallCommand, folder: string, isInProject: boolean): ServerEntry {
  const where = isInProject && workspace === undefined ? [] : ["--workspace", folder];
  return {
    command: "npx",
    args: ["-y", "@haft/cli", "mcp", ...where, ...(role === undefined ? [] : ["--role", role])],
  };
}

/**
 * Creates the folder of the file. Throws unless the file is a regular one of the project or does not exist: a
 * repository can contain links to the settings of its user, and pipes that block every reader.
 */
function prepareFile(file: string, folder: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const isNew = lstatSync(file, { throwIfNoEntry: false }) === undefined;
  if (!isInside(isNew ? dirname(file) : file, folder))
    throw new Error("it is a link that leaves the project");
  if (!isNew && !statSync(file).isFile()) throw new Error("it is not a regular file");
}

/** Sets our entry in the file and keeps everything else in it. Throws if that is impossible. */
function writeMerged(file: string, text: string): void {
  const [[section = "", servers = {}] = []] = Object.entries(JSON.parse(text) as Servers);
  const entry = { path: [section, "haft"], value: servers.haft };
  const merged = mergeJson(existsSync(file) ? readFileSync(file, "utf8") : "", entry);
  if (merged === undefined) throw invalidFile(`${file} is not a JSON object with an object "${section}"`);
  writeFileSync(file, merged);
}

function invalidFile(message: string): UsageError {
  return new UsageError("INVALID_FILE", message, "Omit --write and add the printed entry yourself.");
}

type Servers = Readonly<Record<string, { readonly haft?: ServerEntry }>>;

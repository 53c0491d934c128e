import { randomBytes } from "node:crypto";
import { setFlagsFromString } from "node:v8";
import type { HttpOptions, McpOptions, OpenRuntime, StructuredMode } from "@haft/mcp";
import type { NodeRuntime } from "@haft/runtime-node";
import { renderInline } from "@haft/text";
import type { ApproveChoice } from "../ask/choose-approver.js";
import { type CliIo, isInteractive } from "../cli-io.js";
import { EXIT, type ExitCode } from "../exit-code.js";
import { type CommandParts, type CommandRuntime, IN_THE_BOX, prepareRuntime } from "../open/open-runtime.js";
import type { RuntimeChoices } from "../open/runtime-choices.js";
import { reserveStdout } from "../output/reserve-stdout.js";
import { ownVersion } from "../own-version.js";
import { UsageError } from "../usage-error.js";

interface McpCommand extends RuntimeChoices, ApproveChoice {
  readonly structured?: StructuredMode;
  readonly dryRun?: boolean;
  readonly http?: number;
  readonly host?: string;
  readonly allowHost?: readonly string[];
  /** False for `--no-token`. */
  readonly token?: boolean;
  /** Reports which parts of an untrusted configuration were ignored, once for all sessions. */
  warn?(text: string): void;
}

/**
 * Serves the tools until the client disconnects. Without `--workspace`, the client's roots choose the workspace.
 * SECURITY: over HTTP without a token, any local program can connect, even one with fewer rights than the user. It
 * therefore cannot choose the folder; the current one is used.
 */
export async function mcp(given: McpCommand, io: CliIo): Promise<ExitCode> {
  const command = { ...given, warn: warnOnce(io) };
  if (command.http === undefined && isInteractive(io)) return explainMcp(io);
  const output = reserveStdout(io);
  const service = command.http === undefined ? await onStdio(command, io, output) : await onHttp(command, io);
  limitYoungGeneration();
  const stop = () => void service.close();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, stop);
  // A client that stops reading has disconnected, even if its output is still open.
  if (command.http === undefined) output.once("error", stop);
  await service.closed;
  return EXIT.ok;
}

/** Answers a person who started the command by hand, instead of waiting for a client in silence. */
function explainMcp({ stderr }: CliIo): ExitCode {
  stderr.write(
    "haft mcp speaks the Model Context Protocol with a program, not with a person.\n" +
      "Connect a client: haft mcp install --client claude-code|cursor|codex|vscode|zed\n" +
      "Or serve it over HTTP: haft mcp --http 8080\n" +
      "haft help mcp explains more.\n",
  );
  return EXIT.usage;
}

function warnOnce({ stderr }: CliIo): (text: string) => void {
  const told = new Set<string>();
  return (text) => {
    if (!told.has(text)) stderr.write(text);
    told.add(text);
  };
}

/**
 * Limits V8's young generation: a long-lived server with small calls would otherwise collect 30 MB of garbage. Set
 * after start-up, because V8 accepts cached code only under the flags it was compiled with.
 */
function limitYoungGeneration(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
}

interface Service {
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

async function onStdio(
  command: McpCommand,
  io: CliIo,
  output: ReturnType<typeof reserveStdout>,
): Promise<Service> {
  if (command.host !== undefined || command.allowHost !== undefined || command.token === false) {
    throw new UsageError("USAGE", "--host, --allow-host and --no-token are for --http", "Add --http PORT.");
  }
  const { serveStdio } = await import("@haft/mcp");
  const options = mcpOptions(command, io);
  const isFolderKnown = command.workspace !== undefined;
  return serveStdio(await runtimeSource(command, io, { isFolderKnown }), {
    ...options,
    // A failed write to a client that has disconnected is not an error.
    onError: (error) => (output.destroyed ? undefined : options.onError?.(error)),
    input: io.stdin,
    output,
    ...(output.fd !== undefined && { outputDescriptor: output.fd }),
  });
}

async function onHttp(command: McpCommand, io: CliIo): Promise<Service> {
  const options = httpOptions(command, io);
  const runtimes = await runtimeSource(command, io, { isFolderKnown: options.useClientRoots !== true });
  const { serveHttp } = await import("@haft/mcp/http");
  const service = await serveHttp(runtimes, options).catch((cause: Error) => {
    throw Object.assign(new UsageError("CANNOT_SERVE", cause.message, tokenHint(options)), { cause });
  });
  io.stderr.write(`haft mcp: serving on ${service.url}${tokenNote(options, io)}\n`);
  return service;
}

/** Prints a generated token once. A token from the environment is not repeated. */
function tokenNote({ token }: HttpOptions, { env }: CliIo): string {
  if (token === undefined) return " without a token: every program on this machine can call and approve";
  if (token === env[TOKEN_VARIABLE]) return " (token required)";
  return `\nhaft mcp: clients send the header Authorization: Bearer ${token}`;
}

function httpOptions(command: McpCommand, io: CliIo): HttpOptions {
  const { http = 0, host, allowHost: allowedHosts } = command;
  // Read from the environment only: every local process can read command lines.
  const given = io.env[TOKEN_VARIABLE] || undefined;
  const token = command.token === false ? undefined : (given ?? randomBytes(TOKEN_BYTES).toString("hex"));
  const shared = mcpOptions(command, io);
  return {
    ...shared,
    useClientRoots: shared.useClientRoots === true && token !== undefined && token === given,
    port: http,
    ...(host === undefined ? {} : { host }),
    ...(token === undefined ? {} : { token }),
    ...(allowedHosts === undefined ? {} : { allowedHosts }),
  };
}

const TOKEN_VARIABLE = "HAFT_MCP_TOKEN";
const TOKEN_BYTES = 32;

function tokenHint({ token }: HttpOptions): string {
  if (token !== undefined)
    return `Choose another port or host, or unset ${TOKEN_VARIABLE} to have a token generated and printed.`;
  return "Choose another port. A host that other machines can reach requires a token: omit --no-token.";
}

function mcpOptions(command: McpCommand, io: CliIo): McpOptions {
  return {
    version: ownVersion(),
    instructions: INSTRUCTIONS,
    ...(command.structured !== undefined && { structured: command.structured }),
    approve: command.approve ?? "ask",
    // The runtime's own timeout, set by the configuration, ends a question first.
    approvalTimeoutMs: 24 * 60 * 60 * 1000,
    dryRun: command.dryRun ?? false,
    useClientRoots: command.workspace === undefined,
    onError: (error) => io.stderr.write(`haft mcp: ${renderInline(error.message)}\n`),
  };
}

/** Instructions that clients may show their model, independent of the tools. */
const INSTRUCTIONS =
  "Haft reads, searches, edits and runs code in one workspace. Paths are relative to its root. Read a file before you change it. " +
  "Every call is checked: some are refused, some ask the user. Read the reason and the next call an error names; do not repeat it unchanged. " +
  "The user can undo file changes with haft undo.";

/**
 * Opens a runtime for each client. With a known folder, reports a wrong folder, role or configuration at start-up and
 * gives the first client the prepared runtime. Otherwise the client chooses the folder.
 */
async function runtimeSource(
  command: McpCommand,
  io: CliIo,
  { isFolderKnown }: { readonly isFolderKnown: boolean },
): Promise<OpenRuntime> {
  let checked = isFolderKnown ? await prepareRuntime(command, io, partsOf(command)) : undefined;
  return async ({ approver, root }) => {
    const workspace = command.workspace ?? root;
    const choices = { ...command, ...(workspace !== undefined && { workspace }) };
    const prepared = checked ?? (await prepareRuntime(choices, io, partsOf(command)));
    checked = undefined;
    return withServers(await prepared.open(approver && { approver }));
  };
}

function partsOf({ warn }: McpCommand): CommandParts {
  return { ...IN_THE_BOX, warm: "idle", ...(warn !== undefined && { warn }) };
}

/** Starts the servers per client, once the client is connected. */
async function withServers({ runtime, mountServers }: CommandRuntime): Promise<NodeRuntime> {
  await mountServers();
  return runtime;
}

import { setFlagsFromString } from "node:v8";
import type { HttpOptions, McpOptions, OpenRuntime } from "@haft/mcp";
import type { NodeRuntime } from "@haft/runtime-node";
import { renderInline } from "@haft/text";
import type { ApproveChoice } from "../ask/choose-approver.js";
import type { CliIo } from "../cli-io.js";
import { EXIT, type ExitCode } from "../exit-code.js";
import { type OpenedRuntime, openRuntime } from "../open/open-runtime.js";
import type { RuntimeChoices } from "../open/runtime-choices.js";
import { reserveStdout } from "../output/reserve-stdout.js";
import { ownVersion } from "../own-version.js";
import { UsageError } from "../usage-error.js";

export interface McpCommand extends RuntimeChoices, ApproveChoice {
  readonly dryRun?: boolean;
  readonly http?: number;
  readonly host?: string;
  readonly allowHost?: readonly string[];
}

/**
 * Serves the tools until the client leaves. Where no workspace was given, the client's roots are it.
 *
 * SECURITY: over HTTP without a token the client is any program of this machine, one that may read less than its user
 * included: it does not choose the folder, which is the current one then.
 */
export async function mcp(command: McpCommand, io: CliIo): Promise<ExitCode> {
  const output = reserveStdout(io);
  const service = command.http === undefined ? await onStdio(command, io, output) : await onHttp(command, io);
  keepGarbageSmall();
  const stop = () => void service.close();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, stop);
  // Who no longer reads what we say has left, also where what they say is still open.
  if (command.http === undefined) output.once("error", stop);
  await service.closed;
  return EXIT.ok;
}

/**
 * A server lives long and answers small calls: left alone, V8 would let 30 MB of garbage gather between them. Once it
 * serves, because compiled code is only taken in under the flags that it was made under.
 */
function keepGarbageSmall(): void {
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
  if (command.host !== undefined || command.allowHost !== undefined) {
    throw new UsageError("USAGE", "--host and --allow-host are for --http", "Add --http PORT.");
  }
  const { serveStdio } = await import("@haft/mcp");
  const options = mcpOptions(command, io);
  return serveStdio(await runtimeSource(command, io), {
    ...options,
    // That nothing can be said to a client that has left is nothing to complain about.
    onError: (error) => (output.destroyed ? undefined : options.onError?.(error)),
    input: io.stdin,
    output,
    ...(output.fd !== undefined && { outputDescriptor: output.fd }),
  });
}

async function onHttp(command: McpCommand, io: CliIo): Promise<Service> {
  const options = httpOptions(command, io);
  if (options.useClientRoots !== true) await (await openRuntime(command, io)).runtime.dispose();
  const { serveHttp } = await import("@haft/mcp/http");
  const service = await serveHttp(freshRuntimes(command, io), options).catch((cause: Error) => {
    throw Object.assign(new UsageError("CANNOT_SERVE", cause.message, tokenHint(options)), { cause });
  });
  io.stderr.write(
    `haft mcp: serving on ${service.url}${options.token === undefined ? "" : " (token needed)"}\n`,
  );
  return service;
}

function httpOptions(command: McpCommand, io: CliIo): HttpOptions {
  const { http = 0, host, allowHost: allowedHosts } = command;
  // Not an option: what stands on a command line can be read by every process of the machine.
  const token = io.env[TOKEN_VARIABLE];
  const shared = mcpOptions(command, io);
  return {
    ...shared,
    useClientRoots: shared.useClientRoots === true && token !== undefined && token !== "",
    port: http,
    ...(host === undefined ? {} : { host }),
    ...(token === undefined || token === "" ? {} : { token }),
    ...(allowedHosts === undefined ? {} : { allowedHosts }),
  };
}

const TOKEN_VARIABLE = "HAFT_MCP_TOKEN";

function tokenHint({ token }: HttpOptions): string {
  if (token !== undefined) return "Choose another port or host.";
  return `Choose another port, or for a host that others reach: ${TOKEN_VARIABLE}=$(openssl rand -hex 32) haft mcp …`;
}

function mcpOptions(command: McpCommand, io: CliIo): McpOptions {
  return {
    version: ownVersion(),
    approve: command.approve ?? "none",
    // The runtime's own clock, which the configuration sets, ends a question.
    approvalTimeoutMs: 24 * 60 * 60 * 1000,
    dryRun: command.dryRun ?? false,
    useClientRoots: command.workspace === undefined,
    onError: (error) => io.stderr.write(`haft mcp: ${renderInline(error.message)}\n`),
  };
}

/**
 * With a folder given, a wrong one, a wrong role or configuration is told now and here, not to a
 * client later; what was opened to see it serves the first client that cannot be asked.
 */
async function runtimeSource(command: McpCommand, io: CliIo): Promise<OpenRuntime> {
  // Without one the client says where to work, and this folder may be none of its business.
  let checked = command.workspace === undefined ? undefined : await openRuntime(command, io);
  const open = freshRuntimes(command, io);
  return async (setting) => {
    const ready = checked;
    checked = undefined;
    if (setting.gate === undefined && ready !== undefined) return withServers(ready);
    await ready?.runtime.dispose();
    return open(setting);
  };
}

function freshRuntimes(command: McpCommand, io: CliIo): OpenRuntime {
  return async ({ gate, root }) => {
    const parts = gate === undefined ? {} : { approver: gate.ask.bind(gate) };
    const workspace = command.workspace ?? root;
    return withServers(await openRuntime({ ...command, ...(workspace && { workspace }) }, io, parts));
  };
}

/** Only now, so that servers are started for a client that is there, and once for each. */
async function withServers({ runtime, mountServers }: OpenedRuntime): Promise<NodeRuntime> {
  await mountServers();
  return runtime;
}

import { type OpenRuntime, serveStdio } from "@haft/mcp";
import { renderInline } from "@haft/text";
import type { ApproveChoice } from "../ask/choose-approver.js";
import type { CliIo } from "../cli-io.js";
import { EXIT, type ExitCode } from "../exit-code.js";
import { openRuntime } from "../open/open-runtime.js";
import type { RuntimeChoices } from "../open/runtime-choices.js";
import { reserveStdout } from "../output/reserve-stdout.js";
import { ownVersion } from "../own-version.js";
import { UsageError } from "../usage-error.js";

export interface McpCommand extends RuntimeChoices, ApproveChoice {
  readonly dryRun?: boolean;
  readonly http?: string;
}

/** Serves the tools until the client leaves. Where no workspace was given, the client's roots are it. */
export async function mcp(command: McpCommand, io: CliIo): Promise<ExitCode> {
  if (command.http !== undefined) {
    throw new UsageError(
      "NOT_AVAILABLE",
      "haft mcp --http is not part of this version",
      "Leave it out: haft mcp",
    );
  }
  const output = reserveStdout(io);
  const service = serveStdio(await runtimeSource(command, io), {
    version: ownVersion(),
    input: io.stdin,
    output,
    approve: command.approve ?? "none",
    // The runtime's own clock, which the configuration sets, ends a question.
    approvalTimeoutMs: 24 * 60 * 60 * 1000,
    dryRun: command.dryRun ?? false,
    useClientRoots: command.workspace === undefined,
    onError: (error) => io.stderr.write(`haft mcp: ${renderInline(error.message)}\n`),
  });
  const stop = () => void service.close();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, stop);
  await service.closed;
  return EXIT.ok;
}

/**
 * With a folder given, a wrong one, a wrong role or configuration is told now and here, not to a
 * client later; what was opened to see it serves the first client that cannot be asked.
 */
async function runtimeSource(command: McpCommand, io: CliIo): Promise<OpenRuntime> {
  // Without one the client says where to work, and this folder may be none of its business.
  let checked = command.workspace === undefined ? undefined : await openRuntime(command, io);
  return async ({ gate, root }) => {
    const ready = checked?.runtime;
    checked = undefined;
    if (gate === undefined && ready !== undefined) return ready;
    await ready?.dispose();
    const parts = gate === undefined ? {} : { approver: gate.ask.bind(gate) };
    const workspace = command.workspace ?? root;
    return (await openRuntime({ ...command, ...(workspace && { workspace }) }, io, parts)).runtime;
  };
}

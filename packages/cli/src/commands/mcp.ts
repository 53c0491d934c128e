import { serveStdio } from "@haft/mcp";
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
  // Without one the client says where to work, and this folder may be none of its business.
  if (command.workspace !== undefined) await checkBeforeServing(command, io);
  const service = serveStdio(
    async ({ gate, root }) => {
      const parts = gate === undefined ? {} : { approver: gate.ask.bind(gate) };
      const workspace = command.workspace ?? root;
      return (await openRuntime({ ...command, ...(workspace && { workspace }) }, io, parts)).runtime;
    },
    {
      version: ownVersion(),
      input: io.stdin,
      output,
      approve: command.approve ?? "none",
      // The runtime's own clock, which the configuration sets, ends a question.
      approvalTimeoutMs: 24 * 60 * 60 * 1000,
      dryRun: command.dryRun ?? false,
      useClientRoots: command.workspace === undefined,
      onError: (error) => io.stderr.write(`haft mcp: ${renderInline(error.message)}\n`),
    },
  );
  const stop = () => void service.close();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, stop);
  await service.closed;
  return EXIT.ok;
}

/** A wrong folder, role or configuration is told now and here, not to a client later. */
async function checkBeforeServing(command: McpCommand, io: CliIo): Promise<void> {
  const { runtime } = await openRuntime(command, io);
  await runtime.dispose();
}

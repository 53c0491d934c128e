import type { ApproveChoice } from "../ask/choose-approver.js";
import { type CliIo, isInteractive } from "../cli-io.js";
import { EXIT, type ExitCode } from "../exit-code.js";
import type { RuntimeChoices } from "../open/runtime-choices.js";
import { reserveStdout } from "../output/reserve-stdout.js";
import type { ModelChoice } from "../run/model-settings.js";

/** `approve` is the mode sessions start in. */
export interface AcpCommand extends RuntimeChoices, ApproveChoice, ModelChoice {
  readonly dryRun?: boolean;
}

/** Serves the agent to an editor until the editor disconnects. */
export async function acp(command: AcpCommand, io: CliIo): Promise<ExitCode> {
  if (isInteractive(io)) return explainAcp(io);
  const output = reserveStdout(io);
  const { serveAcp } = await import("../acp/serve-acp.js");
  const service = serveAcp(command, io, output);
  const stop = () => service.close();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, stop);
  output.once("error", stop);
  await service.closed;
  return EXIT.ok;
}

/** Answers a person who started the command by hand. */
function explainAcp({ stderr }: CliIo): ExitCode {
  stderr.write(
    "haft acp speaks the Agent Client Protocol with an editor, not with a person.\n" +
      "Connect an editor: haft acp install --client zed|jetbrains\n" +
      "In a terminal, start a session with: haft\n" +
      "haft help editors explains more.\n",
  );
  return EXIT.usage;
}

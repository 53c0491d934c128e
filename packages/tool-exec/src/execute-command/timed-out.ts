import { ToolError } from "@haft/core";
import type { CommandOutput } from "@haft/core/capabilities";
import { describeOutput } from "../output/describe-output.js";
import type { ExecuteCommandArgs } from "./execute-command-schema.js";

/** Creates the error for the time limit. Details and text contain the output so far. */
export function commandTimedOut(args: ExecuteCommandArgs, output: CommandOutput): ToolError {
  const { stdout, stderr, durationMs, logPath } = output;
  const shown = describeOutput({ stdout: stdout.text, stderr: stderr.text }, args.max_output_tokens);
  return new ToolError("TIMEOUT", `The command took longer than ${args.timeout} s and was stopped`, {
    hint: `Run it again with a longer timeout (at most 600) or with background: true.\nOutput so far:\n${shown}`,
    details: {
      stdout: stdout.text,
      stderr: stderr.text,
      stdoutBytes: stdout.totalBytes,
      stderrBytes: stderr.totalBytes,
      duration: durationMs,
      timedOut: true,
      ...(logPath !== undefined && { logPath }),
    },
  });
}

import { type CommandOutput, ToolError } from "@haft/core";
import { describeOutput } from "../output/describe-output.js";
import type { ExecuteCommandArgs } from "./execute-command-schema.js";

/** Stopped by the time limit. What it wrote until then is in the details and in the text. */
export function commandTimedOut(args: ExecuteCommandArgs, output: CommandOutput): ToolError {
  const { stdout, stderr, durationMs, logPath } = output;
  const shown = describeOutput({ stdout: stdout.text, stderr: stderr.text }, args.max_output_tokens);
  return new ToolError("TIMEOUT", `The command took longer than ${args.timeout} s and was stopped`, {
    hint: `Run it again with a longer timeout (at most 600) or with background: true.\nOutput until then:\n${shown}`,
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

import type { CommandOutput } from "@haft/core";
import type { ExecuteCommandResult } from "./execute-command-schema.js";

/** What a command that has ended is answered with. */
export function resultOf(exitCode: number, output: CommandOutput): ExecuteCommandResult {
  const { stdout, stderr, durationMs, timedOut, logPath } = output;
  return {
    stdout: stdout.text,
    stderr: stderr.text,
    exitCode,
    duration: durationMs,
    timedOut,
    truncated: stdout.omittedBytes + stderr.omittedBytes > 0,
    stdoutBytes: stdout.totalBytes,
    stderrBytes: stderr.totalBytes,
    ...(logPath !== undefined && { logPath }),
  };
}

/** The answer while a command goes on in the background. */
export const NO_OUTPUT: ExecuteCommandResult = {
  stdout: "",
  stderr: "",
  exitCode: 0,
  duration: 0,
  timedOut: false,
  truncated: false,
  stdoutBytes: 0,
  stderrBytes: 0,
};

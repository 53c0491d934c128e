import { ToolError } from "@haft/core";
import type { CommandOutput } from "@haft/core/capabilities";
import type { ExecuteCommandResult } from "./execute-command-schema.js";

/** The result of a command that has ended. */
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

/** The result while a command continues in the background. */
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

/** A shell's exit code for a missing program. */
export const NO_SUCH_PROGRAM = 127;

export function noSuchProgram(name: string): ToolError {
  return new ToolError(
    "EXECUTION_ERROR",
    `There is no program called ${JSON.stringify(name.slice(0, 80))} on this machine`,
    { hint: "Programs are looked up on the host's PATH, never in the workspace." },
  );
}

import { type CodeSandbox, ToolError } from "@haft/core";
import { describeOutput } from "../output/describe-output.js";
import { changedMeanwhile } from "../run-code/changed-meanwhile.js";
import { type RecordingWorkspace, recordChanges } from "../run-code/record-changes.js";
import type { ExecuteCommandArgs, ExecuteCommandResult } from "./execute-command-schema.js";

interface SandboxContext {
  readonly sandbox: CodeSandbox;
  readonly workspace: RecordingWorkspace;
  warn(message: string): void;
  readonly signal: AbortSignal;
}

/** What needs a real shell and was approved: bash, confined to the workspace. Without a sandbox it does not run. */
export async function runInSandbox(
  args: ExecuteCommandArgs,
  { sandbox, workspace, signal, warn }: SandboxContext,
): Promise<ExecuteCommandResult> {
  if (args.background) throw notInBackground();
  const { command, cwd, env, timeout } = args;
  const argv = ["bash", "-c", String(command)] as const;
  const request = { argv, cwd, timeoutMs: timeout * 1000, ...(env !== undefined && { env }) };
  const outcome = await sandbox.run(request, signal);
  const { stdout, stderr, exitCode, durationMs } = outcome;
  const value = {
    stdout: stdout.text,
    stderr: stderr.text,
    exitCode,
    duration: durationMs,
    timedOut: outcome.timedOut,
    truncated: stdout.omittedBytes + stderr.omittedBytes > 0,
    stdoutBytes: stdout.totalBytes,
    stderrBytes: stderr.totalBytes,
  };
  for (const warning of outcome.warnings) warn(warning);
  if (outcome.conflicts.length > 0) throw changedMeanwhile(outcome.conflicts, value);
  await recordChanges(workspace, outcome, warn);
  if (!value.timedOut) return value;
  const shown = describeOutput(value, args.max_output_tokens);
  throw new ToolError("TIMEOUT", `The command took longer than ${timeout} s and was stopped`, {
    hint: `None of its changes to files were kept. Run it again with a longer timeout (at most 600).\nOutput until then:\n${shown}`,
    details: value,
  });
}

function notInBackground(): ToolError {
  return new ToolError(
    "INVALID_ARGUMENTS",
    "What needs a shell runs in the sandbox, and that ends with its call",
    {
      hint: "Leave background out, or write a command without variables, substitution and groups.",
    },
  );
}

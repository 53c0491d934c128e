import { ToolError } from "@haft/core";
import type { CodeSandbox, SandboxOutcome, SandboxRequest } from "@haft/core/capabilities";
import type { CommandDecision } from "../command-policy/decide-command.js";
import { describeOutput } from "../output/describe-output.js";
import { changedMeanwhile } from "../run-code/changed-meanwhile.js";
import { type RecordingWorkspace, recordChanges } from "../run-code/record-changes.js";
import { listed } from "../run-code/render-run.js";
import { boxCommand } from "./box-command.js";
import { NO_SUCH_PROGRAM, noSuchProgram } from "./command-result.js";
import type { ExecuteCommandArgs, ExecuteCommandResult } from "./execute-command-schema.js";
import type { Judging } from "./judge-command.js";

export interface BoxContext {
  readonly box: CodeSandbox;
  readonly workspace: RecordingWorkspace;
  readonly signal: AbortSignal;
  warn(message: string): void;
  report(progress: { readonly message: string }): void;
}

/**
 * Runs a command under a real shell, confined to a view of the workspace. Its changes there become changes of the
 * call.
 */
export async function runInBox(
  args: ExecuteCommandArgs,
  { decision, judging }: { readonly decision: CommandDecision; readonly judging: Judging },
  { box, workspace, signal, warn, report }: BoxContext,
): Promise<ExecuteCommandResult> {
  const request: SandboxRequest = {
    ...(await boxCommand(args, decision, judging)),
    kind: "command",
    cwd: args.cwd,
    timeoutMs: args.timeout * 1000,
    onOutput: (chunk) => report({ message: chunk }),
  };
  const outcome = await box.run(request, signal);
  if (request.repository === "write") warn(REPOSITORY_WRITTEN);
  if (request.repository === "masked" && MISSES_OBJECTS.test(outcome.stderr.text)) warn(CONTENTS_HIDDEN);
  if (/could not (?:lock|write) config file/.test(outcome.stderr.text)) warn(SETTINGS_CLOSED);
  const value = resultIn(outcome);
  for (const warning of outcome.warnings) warn(warning);
  if (outcome.leftBehind === true)
    warn("processes that outlived the command were ended; use background: true to keep one running");
  if (outcome.conflicts.length > 0) throw changedMeanwhile(outcome.conflicts, value);
  await recordChanges(workspace, outcome, warn);
  if (value.timedOut) throw timedOut(args, value);
  assertProgramWasThere(decision, value);
  return value;
}

const MISSES_OBJECTS =
  /^(?:fatal|error): (?:bad object|unable to read|could not parse|object|unable to create '.*\.lock') /im;
const CONTENTS_HIDDEN =
  "git saw only names and versions in the repository, read-only. Its contents are visible to git commands that stand alone and use known subcommands and options, such as git log, show, diff, stash and commit";
const SETTINGS_CLOSED =
  "the repository's settings (.git/config) are read-only here, because they name programs that git runs. Ask the user to run this command";
const REPOSITORY_WRITTEN = "undo does not cover the repository (.git); git hooks did not run";

function resultIn(outcome: SandboxOutcome): ExecuteCommandResult {
  const { stdout, stderr, exitCode, durationMs, limitHit, logPath, passedThrough = [], unrecorded } = outcome;
  return {
    stdout: stdout.text,
    stderr: stderr.text,
    exitCode,
    duration: durationMs,
    timedOut: outcome.timedOut,
    truncated: stdout.omittedBytes + stderr.omittedBytes > 0,
    stdoutBytes: stdout.totalBytes,
    stderrBytes: stderr.totalBytes,
    ...(logPath !== undefined && { logPath }),
    ...(limitHit !== undefined && { limitHit }),
    ...(passedThrough.length > 0 && { passedThrough: [...passedThrough] }),
    ...(unrecorded !== undefined && { notApplied: [...unrecorded] }),
  };
}

/** Throws if the missing program was the whole command; in a list it is exit code 127. */
function assertProgramWasThere({ plan }: CommandDecision, { exitCode, stderr }: ExecuteCommandResult): void {
  const [step, ...more] = plan?.steps ?? [];
  const [command, ...piped] = step?.commands ?? [];
  if (exitCode !== NO_SUCH_PROGRAM || command === undefined || more.length + piped.length > 0) return;
  const program = command.words[0]?.value ?? "";
  // A program that was there may end with 127 too, such as npm whose script names one that is missing.
  if (MISSING.some((text) => stderr.includes(`${program}: ${text}`))) throw noSuchProgram(program);
}

/** What shells print of a program that is missing. */
const MISSING = ["command not found", "not found", "No such file or directory"];

function timedOut(
  { timeout, max_output_tokens }: ExecuteCommandArgs,
  value: ExecuteCommandResult,
): ToolError {
  return new ToolError("TIMEOUT", `The command took longer than ${timeout} s and was stopped`, {
    hint: `${nothingKept(value.passedThrough)}. Run it again with a longer timeout (at most 600) or with background: true.\nOutput so far:\n${describeOutput(value, max_output_tokens)}`,
    details: value,
  });
}

function nothingKept(passedThrough: readonly string[] = []): string {
  const except =
    passedThrough.length === 0
      ? ""
      : `, except in ${listed(passedThrough)}, which it shared with the workspace`;
  return `None of its file changes were kept${except}`;
}

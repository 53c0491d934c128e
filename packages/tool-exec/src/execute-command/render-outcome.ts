import type { RenderFacts } from "@haft/core";
import { describeOutput } from "../output/describe-output.js";
import { LIMIT_MESSAGES, listed, NOTHING_APPLIED } from "../run-code/render-run.js";
import type { ExecuteCommandArgs, ExecuteCommandResult } from "./execute-command-schema.js";

/** Renders the result for the model: how it ended, both streams, and where the rest is. */
export function renderOutcome(
  value: ExecuteCommandResult,
  { args }: Pick<RenderFacts<ExecuteCommandArgs>, "args">,
): string {
  if (value.processId !== undefined) return renderStarted(value.processId);
  const ending = `exit code ${value.exitCode}, ${(value.duration / 1000).toFixed(1)} s`;
  const lines = [describeOutput(value, args.max_output_tokens - NOTICE_TOKENS), `[${ending}]`];
  const { limitHit, passedThrough = [], tier } = value;
  if (limitHit !== undefined) lines.push(`[${LIMIT_MESSAGES[limitHit]}]`);
  if (tier !== undefined)
    lines.push("[ran on the host: no box is available here, so undo does not cover its changes]");
  if (passedThrough.length > 0)
    lines.push(`[shared with the workspace, not covered by undo: ${listed(passedThrough)}]`);
  if (value.notApplied !== undefined) lines.push(NOTHING_APPLIED);
  if (value.truncated) lines.push(`[${sizes(value)} in all${where(value)}]`);
  return lines.join("\n");
}

const NOTICE_TOKENS = 60;

function renderStarted(processId: string): string {
  return `Started in the background as ${processId}. Read it with process {"action":"read","id":"${processId}"}, end it with "kill".`;
}

function sizes({ stdoutBytes, stderrBytes }: ExecuteCommandResult): string {
  return `${stdoutBytes} bytes of output and ${stderrBytes} of errors`;
}

function where({ logPath }: ExecuteCommandResult): string {
  return logPath === undefined ? "" : `; the log is ${logPath}`;
}

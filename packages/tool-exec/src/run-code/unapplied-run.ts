import { type ChangeSummary, ToolError } from "@haft/core";
import { describeOutput, type ShownStreams } from "../output/describe-output.js";
import { changedMeanwhile } from "./changed-meanwhile.js";
import { OUTPUT_TOKENS } from "./render-run.js";

/** The value of a run whose changes need approval while no approver is attached. */
export function notAppliedIn<Value extends ShownStreams>(
  value: Value,
  changes: readonly ChangeSummary[],
): Value & { notApplied: { kind: ChangeSummary["kind"]; path: string; from?: string }[] } {
  const notApplied = changes.map(({ kind, path, from }) => ({
    kind,
    path,
    ...(from !== undefined && { from }),
  }));
  return { ...value, ...("filesChanged" in value && { filesChanged: [] }), notApplied };
}

/**
 * Creates the error for a run whose changes failed afterwards, for example because approval was denied. Includes the
 * output.
 */
export function unappliedRun(value: ShownStreams, failure: ToolError): ToolError {
  const { code, message, hint, details, next } = failure;
  if (code === "STALE_FILE") {
    const path = details?.path;
    return changedMeanwhile(typeof path === "string" ? [path] : [], value, failure);
  }
  const printed = `None of its file changes were applied. Its output:\n${describeOutput(value, OUTPUT_TOKENS)}`;
  return new ToolError(code, message, {
    hint: hint === undefined ? printed : `${hint}\n${printed}`,
    details: { ...details, ...value, ...("filesChanged" in value && { filesChanged: [] }) },
    next,
    cause: failure,
  });
}

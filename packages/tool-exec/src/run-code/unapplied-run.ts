import { ToolError } from "@haft/core";
import { describeOutput, type ShownStreams } from "../output/describe-output.js";
import { changedMeanwhile } from "./changed-meanwhile.js";
import { OUTPUT_TOKENS } from "./render-run.js";

/** It has run, and only then its changes to files failed: somebody said no, say. What it printed is told with that. */
export function unappliedRun(value: ShownStreams, failure: ToolError): ToolError {
  const { code, message, hint, details, next } = failure;
  if (code === "STALE_FILE") {
    const path = details?.path;
    return changedMeanwhile(typeof path === "string" ? [path] : [], value, failure);
  }
  const printed = `What it printed, none of its changes to files being applied:\n${describeOutput(value, OUTPUT_TOKENS)}`;
  return new ToolError(code, message, {
    hint: hint === undefined ? printed : `${hint}\n${printed}`,
    details: { ...details, ...value, ...("filesChanged" in value && { filesChanged: [] }) },
    next,
    cause: failure,
  });
}

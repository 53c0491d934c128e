import { ToolError } from "@haft/core";
import { renderInline } from "@haft/text";
import { describeOutput, type ShownStreams } from "../output/describe-output.js";
import { OUTPUT_TOKENS } from "./render-run.js";

/**
 * Creates the error for a conflict: the code has run, but another process changed the same files, so none of its
 * changes are applied. Includes the output.
 */
export function changedMeanwhile(
  conflicts: readonly string[],
  value: ShownStreams,
  cause?: ToolError,
): ToolError {
  const paths = [...new Set(conflicts)].sort();
  const named = paths.slice(0, MAX_NAMED).map((path) => renderInline(path, { maxChars: 200 }));
  const rest = paths.length - named.length;
  const files = rest > 0 ? `${named.join(", ")} and ${rest} more` : named.join(", ") || "its files";
  return new ToolError("STALE_FILE", `Another process changed ${files} meanwhile`, {
    hint: `None of its file changes were applied. Check the current files, and run it again if its changes are still needed.\nIts output:\n${describeOutput(value, OUTPUT_TOKENS)}`,
    details: { ...value, ...("filesChanged" in value && { filesChanged: [] }), paths },
    ...(cause !== undefined && { cause }),
  });
}

const MAX_NAMED = 20;

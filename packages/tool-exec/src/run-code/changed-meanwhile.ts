import { ToolError } from "@haft/core";
import { renderInline } from "@haft/text";
import { describeOutput, type ShownStreams } from "../output/describe-output.js";
import { OUTPUT_TOKENS } from "./render-run.js";

/** It has run and what it printed is told, but somebody else changed the same files: nothing of its work is applied. */
export function changedMeanwhile(
  conflicts: readonly string[],
  value: ShownStreams,
  cause?: ToolError,
): ToolError {
  const paths = [...new Set(conflicts)].sort();
  const named = paths.slice(0, MAX_NAMED).map((path) => renderInline(path, { maxChars: 200 }));
  const rest = paths.length - named.length;
  const files = rest > 0 ? `${named.join(", ")} and ${rest} more` : named.join(", ") || "its files";
  return new ToolError("STALE_FILE", `Somebody else changed ${files} meanwhile`, {
    hint: `None of its changes to files were applied; the workspace is as the others left it. Look at what is there now and run it again if its work is still wanted.\nWhat it printed:\n${describeOutput(value, OUTPUT_TOKENS)}`,
    details: { ...value, ...("filesChanged" in value && { filesChanged: [] }), paths },
    ...(cause !== undefined && { cause }),
  });
}

const MAX_NAMED = 20;

import { describeChange } from "./describe-change.js";
import type { FileChange } from "./file-change.js";

/** Returns the current lines at the first place that a change would touch, with line numbers. */
export function linesNow(change: FileChange): string | undefined {
  if (change.kind !== "modify" || change.before.bytes === undefined) return undefined;
  const diff = describeChange(change).diff ?? "";
  const hunk = HUNK.exec(diff);
  if (hunk === null) return undefined;
  const shown = diff.slice(hunk.index + hunk[0].length).split("\n");
  const end = shown.findIndex((line) => line.startsWith("@@") || line === "");
  const standing = shown
    .slice(0, end < 0 ? undefined : end)
    .filter((line) => line[0] === " " || line[0] === "-");
  const first = Number(hunk[1]);
  return standing
    .slice(0, MAX_SHOWN_LINES)
    .map((line, index) => `${first + index}: ${line.slice(1, MAX_SHOWN_CHARS)}`)
    .join("\n");
}

const HUNK = /^@@ -(\d+),\d+ \+\d+,\d+ @@\n/m;
const MAX_SHOWN_LINES = 12;
const MAX_SHOWN_CHARS = 201;

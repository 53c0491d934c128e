import type { ChangeSummary } from "../workspace/describe-change.js";

/**
 * Truncates the diffs of a result at a line boundary and counts what is left out: code can write a lot, and applied
 * changes need no review. Approval requests and previews show everything.
 */
export function boundDiffs(
  changes: readonly ChangeSummary[],
  maxChars = MAX_CHARS,
): readonly ChangeSummary[] {
  let room = maxChars;
  return changes.map((change) => {
    const { diff } = change;
    if (diff === undefined) return change;
    const shown = diff.length <= room ? diff : cutAtLine(diff, room);
    room = Math.max(0, room - diff.length);
    return shown === diff ? change : { ...change, diff: shown };
  });
}

const MAX_CHARS = 200_000;

function cutAtLine(diff: string, maxChars: number): string {
  const end = diff.lastIndexOf("\n", maxChars - 1) + 1;
  return `${diff.slice(0, end)}[… ${diff.length - end} more characters]\n`;
}

import type { ChangeSummary } from "../workspace/describe-change.js";

/**
 * What a result tells of what was done: code can write a lot, and nobody has to judge it any more. What
 * does not fit is cut at a line and counted. Requests for approval and previews show all of it.
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

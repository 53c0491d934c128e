import type { ChangeSummary } from "../workspace/describe-change.js";

/** Marks the text of a dry run and adds every change that the tool's own text does not show. */
export function previewText(rendered: string, changes: readonly ChangeSummary[]): string {
  const missing = changes.flatMap((change) => describeUnless(rendered, change));
  return [`${DRY_RUN} ${rendered}`, ...missing].join("\n");
}

/** The last line of every dry run, added after truncation so that it is never cut off. */
export const NOTHING_CHANGED = "Nothing was changed.";

const DRY_RUN = "[Dry Run]";

function describeUnless(rendered: string, change: ChangeSummary): readonly string[] {
  const { kind, from, path, diff } = change;
  if (diff === undefined)
    return rendered.includes(path)
      ? []
      : [from === undefined ? `${kind} ${path}` : `${kind} ${from} to ${path}`];
  // A tool may shorten its diff, but it shows the file header.
  const [header = diff] = /^--- .*\n\+\+\+ .*/.exec(diff) ?? [];
  return rendered.includes(header) ? [] : [diff.trimEnd()];
}

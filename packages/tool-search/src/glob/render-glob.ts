import type { RenderFacts } from "@haft/core";
import { countOf, estimateTokens, groupDigits, renderInline } from "@haft/text";
import { describeSkipped } from "../skipped.js";
import { asList } from "../string-list.js";
import { IGNORED_FILES } from "./glob-files.js";
import type { GlobArgs, GlobResult } from "./glob-schema.js";

type Facts = RenderFacts<GlobArgs>;

const BODY_TOKENS = 10_500;

/** Renders the paths, below a line with their number and order. */
export function renderGlob(value: GlobResult, facts: Facts): string {
  const { args } = facts;
  if (value.total === 0) return [nothing(value, args), ...excludedNote(value)].join("\n");
  const lines = pathLines(value, facts);
  const next = lines.length < value.shown ? args.offset + lines.length : value.nextOffset;
  return [
    header(value, args, lines.length),
    ...lines,
    ...excludedNote(value),
    ...(next === undefined
      ? []
      : [`Next: offset=${next}, or narrow with path, exclude or a closer pattern.`]),
  ].join("\n");
}

function pathLines({ files }: GlobResult, { showPath }: Facts): readonly string[] {
  const lines: string[] = [];
  let tokens = 0;
  for (const { path } of files) {
    const line = renderInline(showPath(path));
    tokens += estimateTokens(line) + 1;
    if (tokens > BODY_TOKENS) break;
    lines.push(line);
  }
  return lines;
}

function header(value: GlobResult, { offset, sort }: GlobArgs, shown: number): string {
  const order = sort === "path" ? "sorted by path" : "newest first";
  const found = `Found ${value.incomplete ? "at least " : ""}${countOf(value.total, "file")}`;
  if (shown === 0) return `${found}, none from offset ${offset} on.`;
  if (offset === 0 && shown >= value.total) return `${found} (${order}).`;
  return `${found}, showing ${groupDigits(offset + 1)}-${groupDigits(offset + shown)} (${order}).`;
}

function nothing({ skipped }: GlobResult, args: GlobArgs): string {
  const patterns = asList(args.pattern)
    .map((pattern) => renderInline(pattern))
    .join(", ");
  const left = describeSkipped(skipped);
  const where = args.path === "." ? "" : ` in ${renderInline(args.path)}`;
  return `No files match ${patterns}${where}${left === "" ? "" : ` (not looked at: ${left})`}.`;
}

function excludedNote({ excluded, excludedIncomplete }: GlobResult): readonly string[] {
  if (excluded.length === 0) return [];
  const atLeast = excludedIncomplete ? "at least " : "";
  const shown = excluded
    .slice(0, 5)
    .map(({ folder, count }) =>
      folder === IGNORED_FILES
        ? `${groupDigits(count)} more ignored`
        : `${groupDigits(count)} more in excluded ${renderInline(folder)}`,
    );
  const rest = excluded.length > 5 ? `, and in ${countOf(excluded.length - 5, "other folder")}` : "";
  return [`(${atLeast}${shown.join(", ")}${rest}; pass include_ignored:true)`];
}

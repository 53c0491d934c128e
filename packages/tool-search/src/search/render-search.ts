import type { RenderFacts } from "@haft/core";
import { renderInline, truncateLine } from "@haft/text";
import { countOf, groupDigits } from "../describe-count.js";
import { describeSkipped } from "../skipped.js";
import type { SearchArgs, SearchResult } from "./search-schema.js";

type Facts = RenderFacts<SearchArgs>;

const SNIPPET_CHARS = 200;

/** One line for each file: where, and the line that fits best. */
export function renderSearch(value: SearchResult, { args, showPath }: Facts): string {
  const query = JSON.stringify(args.query);
  if (value.results.length === 0) {
    const skipped = describeSkipped(value.skipped);
    return `Nothing fits ${query} in ${countOf(value.searched, "file")}${skipped === "" ? "" : ` (skipped ${skipped})`}. Try fewer or other words, or grep with a pattern.`;
  }
  const lines = value.results.map(({ path, line, snippet }) => {
    const where = renderInline(showPath(path));
    return line === undefined
      ? where
      : `${where}:${line}: ${truncateLine(renderInline(snippet.trim()), SNIPPET_CHARS)}`;
  });
  return [header(value, query), ...lines, ...footer(value)].join("\n");
}

function header({ total, results, truncated, incomplete }: SearchResult, query: string): string {
  const found = `Found ${incomplete ? "at least " : ""}${countOf(total, "file")} for ${query}`;
  return truncated ? `${found}, showing the best ${groupDigits(results.length)}.` : `${found}, best first.`;
}

function footer({ truncated, topFolders }: SearchResult): readonly string[] {
  if (!truncated) return [];
  const top = topFolders
    .map(({ folder, count }) => `${renderInline(folder)} ${groupDigits(count)}`)
    .join(", ");
  return [`Narrow with path, file_type or more words; top folders: ${top}.`];
}

import type { RenderFacts } from "@haft/core";
import { countOf, cutAfter, cutBefore, estimateTokens, groupDigits, renderInline } from "@haft/text";
import { describeSkipped } from "../skipped.js";
import type { SearchArgs, SearchResult } from "./search-schema.js";

type Facts = RenderFacts<SearchArgs>;

/** The maximum length of a shown line. */
export const SNIPPET_CHARS = 200;
/** Leaves room for the header, the footer and notes. */
const BODY_TOKENS = 10_500;

/** Renders one line per file: the path, and the best line. */
export function renderSearch(value: SearchResult, { args, showPath }: Facts): string {
  const query = JSON.stringify(args.query);
  if (value.results.length === 0) {
    const skipped = describeSkipped(value.skipped);
    return `No match for ${query} in ${countOf(value.searched, "file")}${skipped === "" ? "" : ` (skipped ${skipped})`}. Try fewer or other words, or grep with a pattern.`;
  }
  const lines = fittingLines(value.results, showPath);
  return [header(value, query, lines.length), ...lines, ...footer(value, lines.length)].join("\n");
}

function fittingLines(results: SearchResult["results"], showPath: Facts["showPath"]): readonly string[] {
  const lines: string[] = [];
  let tokens = 0;
  for (const { path, line, snippet } of results) {
    const where = renderInline(showPath(path));
    const shown = line === undefined ? where : `${where}:${line}: ${shortened(renderInline(snippet.trim()))}`;
    tokens += estimateTokens(shown) + 1;
    if (tokens > BODY_TOKENS) break;
    lines.push(shown);
  }
  return lines;
}

// The full length of the line is unknown here.
function shortened(text: string): string {
  return text.length > SNIPPET_CHARS ? `${excerpt(text, 0, SNIPPET_CHARS)} …` : text;
}

/** Returns a part of a text without splitting characters. */
export function excerpt(text: string, from: number, chars: number): string {
  return text.slice(cutAfter(text, from), cutBefore(text, from + chars));
}

function header({ total, incomplete }: SearchResult, query: string, shown: number): string {
  const found = `Found ${incomplete ? "at least " : ""}${countOf(total, "file")} for ${query}`;
  return shown < total ? `${found}, showing the best ${groupDigits(shown)}.` : `${found}, best first.`;
}

function footer({ total, topFolders }: SearchResult, shown: number): readonly string[] {
  if (shown >= total) return [];
  const top = topFolders
    .map(({ folder, count }) => `${renderInline(folder)} ${groupDigits(count)}`)
    .join(", ");
  return [`Narrow with path, file_type or more words; top folders: ${top}.`];
}

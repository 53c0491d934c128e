import type { RenderFacts } from "@haft/core";
import { cutAfter, cutBefore, estimateTokens, renderInline } from "@haft/text";
import { countOf, groupDigits } from "../describe-count.js";
import { describeSkipped } from "../skipped.js";
import type { SearchArgs, SearchResult } from "./search-schema.js";

type Facts = RenderFacts<SearchArgs>;

/** What is shown of a line. */
export const SNIPPET_CHARS = 200;
/** Leaves room for the header, the footer and notes. */
const BODY_TOKENS = 10_500;

/** One line for each file: where, and the line that fits best. */
export function renderSearch(value: SearchResult, { args, showPath }: Facts): string {
  const query = JSON.stringify(args.query);
  if (value.results.length === 0) {
    const skipped = describeSkipped(value.skipped);
    return `Nothing fits ${query} in ${countOf(value.searched, "file")}${skipped === "" ? "" : ` (skipped ${skipped})`}. Try fewer or other words, or grep with a pattern.`;
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

// Of how long the line is, the snippet knows nothing.
function shortened(text: string): string {
  return text.length > SNIPPET_CHARS ? `${excerpt(text, 0, SNIPPET_CHARS)} …` : text;
}

/** A part of a text, without half of a character at either end. */
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

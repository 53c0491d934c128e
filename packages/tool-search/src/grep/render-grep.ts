import type { RenderFacts } from "@haft/core";
import { countOf, estimateTokens, groupDigits, renderInline } from "@haft/text";
import { describeSkipped } from "../skipped.js";
import { asksForContext } from "./grep-request.js";
import { type GrepArgs, type GrepResult, isCaseSensitive } from "./grep-schema.js";
import { renderMatches } from "./render-matches.js";

type Facts = RenderFacts<GrepArgs>;

/** Leaves room in the tool's budget for the header, the footer and notes. */
const BODY_TOKENS = 5_300;

/** Renders the result for the model: totals first, then the lines, then what was left out and how to continue. */
export function renderGrep(value: GrepResult, facts: Facts): string {
  if (value.totalMatches === 0) return renderNothing(value, facts);
  const body = value.matches ? fittingMatches(value, facts) : fileLines(value, facts);
  const next = body.shown < value.shown ? facts.args.offset + body.shown : value.nextOffset;
  return [header(value, facts.args, body.shown), ...body.lines, footer(value, facts.args, next)].join("\n");
}

interface Body {
  readonly lines: readonly string[];
  /** The number of matches, or files, that fit. */
  readonly shown: number;
}

/** Drops unrequested context before it drops matches. */
function fittingMatches(value: GrepResult, facts: Facts): Body {
  const matches = value.matches ?? [];
  const contexts = asksForContext(facts.args) ? [Number.POSITIVE_INFINITY] : [50, 15, 5, 2, 0];
  for (const context of contexts) {
    const lines = renderMatches(matches, { context, facts });
    if (fits(lines)) return { lines, shown: matches.length };
  }
  const context = contexts.at(-1) ?? 0;
  let [fitting, tooMany] = [0, matches.length];
  while (tooMany - fitting > 1) {
    const middle = (fitting + tooMany) >> 1;
    if (fits(renderMatches(matches.slice(0, middle), { context, facts }))) fitting = middle;
    else tooMany = middle;
  }
  const shown = Math.max(1, fitting);
  return { lines: renderMatches(matches.slice(0, shown), { context, facts }), shown };
}

function fileLines(value: GrepResult, { args, showPath }: Facts): Body {
  const files = value.files ?? [];
  const lines: string[] = [];
  let tokens = 0;
  for (const { path, count } of files) {
    const name = renderInline(showPath(path));
    const line = args.output_mode === "count" ? `${name}:${count}` : name;
    tokens += estimateTokens(line) + 1;
    if (tokens > BODY_TOKENS) break;
    lines.push(line);
  }
  return { lines, shown: lines.length };
}

function fits(lines: readonly string[]): boolean {
  return estimateTokens(lines.join("\n")) <= BODY_TOKENS;
}

function header(value: GrepResult, args: GrepArgs, shown: number): string {
  const { totalMatches, totalFiles } = value;
  const atLeast = value.incomplete ? "at least " : "";
  const mode = isCaseSensitive(args) ? "case-sensitive" : "case-insensitive";
  const isContent = value.matches !== undefined;
  const found = `Found ${atLeast}${countOf(totalMatches, "match")} in ${countOf(totalFiles, "file")}`;
  const total = isContent ? totalMatches : totalFiles;
  if (shown === 0 && args.offset < total) return `${found}, none shown for lack of time (${mode}).`;
  if (shown === 0) return `${found}, none from offset ${args.offset} on (${mode}).`;
  const isAll = args.offset === 0 && shown >= total;
  const what = isContent ? "" : "files ";
  const range = `${groupDigits(args.offset + 1)}-${groupDigits(args.offset + shown)}`;
  return `${found}${isAll ? "" : `, showing ${what}${range}`} (${mode}).`;
}

function footer(value: GrepResult, args: GrepArgs, next: number | undefined): string {
  const skipped = describeSkipped(value.skipped, value.maxFileBytes);
  const searched = `Searched ${countOf(value.searched, "file")}${skipped === "" ? "" : `; skipped ${skipped}`}.`;
  if (next === undefined) return searched;
  const caseAdvice =
    !isCaseSensitive(args) && args.pattern.toLowerCase() !== args.pattern.toUpperCase()
      ? ", or tell case apart with case_sensitive:true"
      : "";
  return `${searched} Next: offset=${next}, or narrow with path/glob/file_type${caseAdvice}.`;
}

function renderNothing(value: GrepResult, { args }: Facts): string {
  const skipped = describeSkipped(value.skipped, value.maxFileBytes);
  const pattern = args.literal ? JSON.stringify(args.pattern) : `/${renderInline(args.pattern)}/`;
  const mode = isCaseSensitive(args) ? ", case-sensitive" : "";
  const where = `${countOf(value.searched, "file")}${skipped === "" ? "" : ` (skipped ${skipped})`}`;
  const isFiltered = args.glob !== undefined || args.file_type !== undefined || args.type !== undefined;
  return [
    `No matches ${value.incomplete ? "yet " : ""}for ${pattern} in ${where}${mode}.`,
    ...(value.searched === 0 && isFiltered ? ["No file fits path, glob and file_type; check them."] : []),
    ...value.hints.map((hint) => `But ${hint}`),
  ].join("\n");
}

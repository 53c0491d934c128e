import type { RenderFacts } from "@haft/core";
import { cutAfter, cutBefore, renderInline } from "@haft/text";
import { VALUE_CHARS } from "./grep-matches.js";
import type { GrepArgs, GrepMatch } from "./grep-schema.js";

const LINE_CHARS = 500;
/** How many lines of one match to show. */
const MATCH_LINES = 100;

interface MatchView {
  /** Lines of context to show around each match, of those collected. */
  readonly context: number;
  readonly facts: RenderFacts<GrepArgs>;
}

/** Renders the lines below their file's path: `12:` before a match, `12-` before context, `--` for omitted lines. */
export function renderMatches(matches: readonly GrepMatch[], { context, facts }: MatchView): string[] {
  const lines: string[] = [];
  const numbered = facts.args.line_numbers;
  let path: string | undefined;
  let nextLine = 0;
  for (const match of matches) {
    const before = context === 0 ? [] : match.before.slice(-context);
    const after = match.after.slice(0, context);
    const first = match.line - before.length;
    if (match.path !== path) lines.push(renderInline(facts.showPath(match.path)));
    else if (first !== nextLine) lines.push("--");
    path = match.path;
    const put = (line: number, text: string, mark: string) =>
      lines.push(numbered ? `${line}${mark}${text}` : text);
    for (const [index, text] of before.entries()) put(first + index, clipContext(text), "-");
    for (const [index, text] of clipMatch(match).entries()) put(match.line + index, text, ":");
    const last = match.endLine ?? match.line;
    for (const [index, text] of after.entries()) put(last + 1 + index, clipContext(text), "-");
    nextLine = last + after.length + 1;
  }
  return lines;
}

/** Returns the lines of a match, shortened if it was truncated or is very long. */
function clipMatch({ text, column, endLine, cut = UNCUT }: GrepMatch): readonly string[] {
  if (endLine === undefined) return [clip(text, column - 1 - cut.before, cut)];
  const lines = text.split("\n");
  const shown = lines
    .slice(0, MATCH_LINES)
    .map((line, index) => clip(line, index === 0 ? column - 1 - cut.before : 0, UNCUT));
  const isWhole = cut.after === 0 && lines.length <= MATCH_LINES;
  return isWhole ? shown : [...shown.slice(0, -1), `${shown.at(-1)} …[the match continues]`];
}

/** For a line truncated during collection, the missing length is unknown. */
function clipContext(text: string): string {
  const isCut = text.length >= VALUE_CHARS - 1;
  return isCut ? `${clip(text, 0, UNCUT).slice(0, -"chars]".length)}or more chars]` : clip(text, 0, UNCUT);
}

type Cut = NonNullable<GrepMatch["cut"]>;

const UNCUT: Cut = { before: 0, after: 0 };

/** Truncates a long line so that the match stays visible. */
function clip(text: string, column: number, cut: Cut): string {
  if (text.length <= LINE_CHARS) return text;
  const wanted = Math.max(0, Math.min(column - LINE_CHARS / 4, text.length - LINE_CHARS));
  const from = cutAfter(text, wanted);
  const to = cutBefore(text, Math.min(text.length, from + LINE_CHARS));
  const before = cut.before + from;
  const after = cut.after + text.length - to;
  return `${before > 0 ? `…[${before} chars] ` : ""}${text.slice(from, to)}${after > 0 ? ` …[+${after} chars]` : ""}`;
}

import type { RenderFacts } from "@haft/core";
import { cutAfter, cutBefore, renderInline } from "@haft/text";
import { VALUE_CHARS } from "./grep-matches.js";
import type { GrepArgs, GrepMatch } from "./grep-schema.js";

const LINE_CHARS = 500;

export interface MatchView {
  /** Lines of context to show around each match, of those there are. */
  readonly context: number;
  readonly facts: RenderFacts<GrepArgs>;
}

/** The lines under their file's path: `12:` before a match, `12-` before context, `--` where lines are left out. */
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
    put(match.line, clipMatch(match), ":");
    for (const [index, text] of after.entries()) put(match.line + 1 + index, clipContext(text), "-");
    nextLine = match.line + after.length + 1;
  }
  return lines;
}

function clipMatch({ text, column, cut = UNCUT }: GrepMatch): string {
  return clip(text, column - 1 - cut.before, cut);
}

/** Of a line that was cut when it was collected, it is not known how much is missing. */
function clipContext(text: string): string {
  const isCut = text.length >= VALUE_CHARS - 1;
  return isCut ? `${clip(text, 0, UNCUT).slice(0, -"chars]".length)}or more chars]` : clip(text, 0, UNCUT);
}

type Cut = NonNullable<GrepMatch["cut"]>;

const UNCUT: Cut = { before: 0, after: 0 };

/** A long line is cut so that the match stays in sight. */
function clip(text: string, column: number, cut: Cut): string {
  if (text.length <= LINE_CHARS) return text;
  const wanted = Math.max(0, Math.min(column - LINE_CHARS / 4, text.length - LINE_CHARS));
  const from = cutAfter(text, wanted);
  const to = cutBefore(text, Math.min(text.length, from + LINE_CHARS));
  const before = cut.before + from;
  const after = cut.after + text.length - to;
  return `${before > 0 ? `…[${before} chars] ` : ""}${text.slice(from, to)}${after > 0 ? ` …[+${after} chars]` : ""}`;
}

import type { RenderFacts } from "@haft/core";
import { renderInline } from "@haft/text";
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
    for (const [index, text] of before.entries()) put(first + index, clip(text, 0), "-");
    put(match.line, clip(match.text, match.column - 1), ":");
    for (const [index, text] of after.entries()) put(match.line + 1 + index, clip(text, 0), "-");
    nextLine = match.line + after.length + 1;
  }
  return lines;
}

/** A long line is cut so that the match stays in sight. */
function clip(text: string, column: number): string {
  if (text.length <= LINE_CHARS) return text;
  const wanted = Math.max(0, Math.min(column - LINE_CHARS / 4, text.length - LINE_CHARS));
  const from = isLowSurrogate(text, wanted) ? wanted + 1 : wanted;
  const end = Math.min(text.length, from + LINE_CHARS);
  const to = isLowSurrogate(text, end) ? end - 1 : end;
  const left = from > 0 ? `…[${from} chars] ` : "";
  const right = to < text.length ? ` …[+${text.length - to} chars]` : "";
  return left + text.slice(from, to) + right;
}

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}

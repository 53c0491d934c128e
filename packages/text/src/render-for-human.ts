import { cutAfter, cutBefore } from "./cut-point.js";
import { isPartOfWriting } from "./part-of-writing.js";

export interface RenderOptions {
  /** Maximum number of characters shown; the middle is replaced by a count. Default: all. */
  readonly maxChars?: number | undefined;
}

/**
 * Makes a text safe to show to the person who approves it. Characters that could move the cursor, reorder the line or
 * hide become escapes such as `\x1b`, `\u202e` or `\u{e0041}`. Newlines and tabs stay, and "\r\n" becomes a plain
 * newline. Joiners and selectors that ordinary writing needs stay too.
 */
export function renderForHuman(text: string, options: RenderOptions = {}): string {
  return cutMiddle(text, options.maxChars, (part) =>
    escapeHidden(part.replaceAll("\r\n", "\n"), deceptive, showEscaped),
  );
}

/** The same for one line of output: newlines and tabs are escaped as well. */
export function renderInline(text: string, options: RenderOptions = {}): string {
  return cutMiddle(text, options.maxChars, (part) => escapeHidden(part, deceptiveInline, showEscaped));
}

/** A part of a text: characters to show as they are, or characters that hide, reorder or control. */
export interface TextRun {
  readonly text: string;
  readonly isHidden: boolean;
}

/** Splits a text before and after its hidden characters, for a display that marks them. */
export function splitHidden(text: string): readonly TextRun[] {
  const runs: TextRun[] = [];
  let from = 0;
  let hiddenFrom = 0;
  const add = (start: number, end: number, isHidden: boolean) => {
    if (end > start) runs.push({ text: text.slice(start, end), isHidden });
  };
  for (const { 0: character, index } of text.matchAll(deceptive)) {
    if (isPartOfWriting(text, index, character)) continue;
    if (index > from) {
      add(hiddenFrom, from, true);
      add(from, index, false);
      hiddenFrom = index;
    }
    from = index + character.length;
  }
  add(hiddenFrom, from, true);
  add(from, text.length, false);
  return runs;
}

/**
 * Renders a value as single-line JSON that is safe to show. Hidden characters become equivalent escapes like
 * `\u202e`.
 */
export function renderJson(value: unknown): string {
  return escapeHidden(JSON.stringify(value), deceptive, (character) =>
    Array.from({ length: character.length }, (_, index) => jsonEscape(character.charCodeAt(index))).join(""),
  );
}

function escapeHidden(text: string, hiding: RegExp, show: (character: string) => string): string {
  return text.replace(hiding, (character, at: number) =>
    isPartOfWriting(text, at, character) ? character : show(character),
  );
}

function jsonEscape(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}

// Beyond controls, bidi marks, zero-width characters and tags, these hide text as well: soft hyphen, fillers, line
// separators, invisible operators and variation selectors. \p{Cf} covers other format characters, including those of
// newer Unicode versions. Under the `u` flag, \p{Cs} matches lone surrogates only.
const hidden = [
  String.raw`\0-\x08\v\f\r\x0e-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f`,
  String.raw`\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\u{e0000}-\u{e0fff}\p{Cf}\p{Cs}`,
].join("");
const deceptive = new RegExp(`[${hidden}]`, "gu");
const deceptiveInline = new RegExp(`[\\n\\t${hidden}]`, "gu");

const named: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function showEscaped(character: string): string {
  const name = named[character];
  if (name !== undefined) return name;
  const code = character.codePointAt(0) ?? 0;
  if (code > 0xffff) return `\\u{${code.toString(16)}}`;
  const hex = code.toString(16);
  return code <= 0xff ? `\\x${hex.padStart(2, "0")}` : `\\u${hex.padStart(4, "0")}`;
}

function cutMiddle(text: string, maxChars: number | undefined, render: (part: string) => string): string {
  if (maxChars === undefined || text.length <= maxChars) return render(text);
  const limit = Math.max(0, Math.floor(maxChars));
  const headEnd = cutBefore(text, Math.ceil(limit / 2));
  const tailStart = cutAfter(text, text.length - Math.floor(limit / 2));
  const left = tailStart - headEnd;
  return `${render(text.slice(0, headEnd))} …[${left} more characters]… ${render(text.slice(tailStart))}`;
}

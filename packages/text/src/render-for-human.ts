import { cutAfter, cutBefore } from "./cut-point.js";

export interface RenderOptions {
  /** How many characters of the text are shown; the middle is left out, with a count. Default: all. */
  readonly maxChars?: number | undefined;
}

/**
 * Makes a text safe to show to the person who approves it: whatever could move the cursor, reorder the line
 * or hide is shown as an escape such as `\x1b`, `\u202e` or `\u{e0041}`. Newlines and tabs stay, and "\r\n"
 * becomes a plain newline.
 */
export function renderForHuman(text: string, options: RenderOptions = {}): string {
  return cutMiddle(text, options.maxChars, (part) =>
    part.replaceAll("\r\n", "\n").replace(deceptive, showEscaped),
  );
}

/** The same for one line of output: newlines and tabs are escaped as well. */
export function renderInline(text: string, options: RenderOptions = {}): string {
  return cutMiddle(text, options.maxChars, (part) => part.replace(deceptiveInline, showEscaped));
}

/** A value as JSON on one line that is safe to show: what would act or hide is written as `\u202e`, which means the same. */
export function renderJson(value: unknown): string {
  return JSON.stringify(value).replace(deceptive, (character) =>
    Array.from({ length: character.length }, (_, index) => jsonEscape(character.charCodeAt(index))).join(""),
  );
}

function jsonEscape(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}

// Beyond controls, bidi marks, zero-width characters and tags: soft hyphen, fillers, line separators,
// invisible operators and the variation selector supplement hide text just as well. \p{Cf} is
// whatever else formats and newer versions of Unicode add. Under the `u` flag \p{Cs} matches lone surrogates only.
const hidden = [
  String.raw`\0-\x08\v\f\r\x0e-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f`,
  String.raw`\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{e0000}-\u{e0fff}\p{Cf}\p{Cs}`,
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

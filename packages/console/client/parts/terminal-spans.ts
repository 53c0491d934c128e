import { PLAIN, styleAfter, type TerminalStyle } from "./terminal-style.js";

interface Span {
  readonly style: TerminalStyle;
  readonly text: string;
}

/** Splits program output where its style changes. Drops escape sequences other than colours. */
export function spansOf(text: string): readonly Span[] {
  const spans: Span[] = [];
  let style = PLAIN;
  for (const part of withoutOverwritten(text).split(SEQUENCE)) {
    const codes = COLOURS.exec(part)?.[1];
    if (codes !== undefined) style = styleAfter(style, codes);
    else if (!part.startsWith("\u001b") && part !== "") spans.push({ style, text: part });
  }
  return spans;
}

/** A carriage return restarts the line: of a progress bar only the last state remains. */
function withoutOverwritten(text: string): string {
  if (!text.includes("\r")) return text;
  return text
    .replaceAll("\r\n", "\n")
    .split("\n")
    .map((line) => line.replace(/\r+$/, "").split("\r").at(-1))
    .join("\n");
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences start with a control character
const SEQUENCE = /(\u001b\[[0-9;:?<=>]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[^[\]])/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences start with a control character
const COLOURS = /^\u001b\[([0-9;:]*)m$/;

import { PatternError } from "../pattern-error.js";
import { endOfClass } from "./char-set.js";
import { closingPlace, splitOutside } from "./split-outside.js";

const MAX_ALTERNATIVES = 1000;
const MAX_LENGTH = 1024;

/** Expands `{a,b}` and `{1..3}`. Throws PatternError for too many results or an unclosed brace. */
export function expandBraces(pattern: string): string[] {
  if (pattern.length > MAX_LENGTH)
    throw new PatternError("glob too long", 0, `use at most ${MAX_LENGTH} characters`);
  const nul = pattern.indexOf("\0");
  if (nul !== -1) throw new PatternError("NUL character", nul, "leave it out: no name contains one");
  return writeOutBraces(pattern);
}

/** Expands a pattern whose length was checked before it was escaped. */
export function writeOutBraces(pattern: string): string[] {
  let done: string[] = [""];
  for (const part of splitParts(pattern)) {
    const choices = part.kind === "text" ? [part.text] : alternatives(part.text);
    if (done.length * choices.length > MAX_ALTERNATIVES) {
      throw new PatternError(
        "too many brace alternatives",
        part.position,
        "use fewer braces, or several patterns",
      );
    }
    done = done.flatMap((prefix) => choices.map((choice) => prefix + choice));
  }
  return done;
}

interface Part {
  readonly kind: "text" | "braces";
  readonly text: string;
  readonly position: number;
}

function splitParts(pattern: string): Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (let at = 0; at < pattern.length; at++) {
    if (pattern[at] === "\\") at++;
    else if (pattern[at] === "[") at = endOfClass(pattern, at) - 1;
    else if (pattern[at] === "{") {
      const close = closingBrace(pattern, at);
      if (at > from) parts.push({ kind: "text", text: pattern.slice(from, at), position: from });
      parts.push({ kind: "braces", text: pattern.slice(at + 1, close), position: at });
      from = close + 1;
      at = close;
    }
  }
  if (from < pattern.length) parts.push({ kind: "text", text: pattern.slice(from), position: from });
  return parts;
}

function closingBrace(pattern: string, open: number): number {
  const close = closingPlace(pattern, open, "{}");
  if (close !== undefined) return close;
  throw new PatternError(
    "unclosed brace",
    open,
    `add the missing }, or escape it: ${pattern.slice(0, open)}\\{`,
  );
}

function alternatives(inside: string): string[] {
  const range = rangeOf(inside);
  if (range) return range;
  const choices = splitOutside(inside, ",", "{}");
  if (choices.length === 1) return expandBraces(inside).map((text) => `\\{${text}}`);
  return choices.flatMap((choice) => expandBraces(choice));
}

/**
 * Expands `{1..3}`, `{01..10}` and `{a..e}`, each with an optional step such as `..2`; undefined for anything
 * else.
 */
function rangeOf(inside: string): string[] | undefined {
  const [first = "", last = "", by = "1", ...more] = inside.split("..");
  const isNumeric = [first, last, by].every((text) => /^-?\d{1,6}$/.test(text));
  const isLetters = [first, last].every((text) => /^[a-zA-Z]$/.test(text)) && /^-?\d{1,3}$/.test(by);
  if (more.length > 0 || !(isNumeric || isLetters)) return undefined;
  const numberOf = (text: string) => (isNumeric ? Number(text) : text.charCodeAt(0));
  const step = Math.abs(Number(by)) || 1;
  const distance = numberOf(last) - numberOf(first);
  const count = Math.floor(Math.abs(distance) / step) + 1;
  if (count > MAX_ALTERNATIVES)
    throw new PatternError("brace range too long", 0, `use at most ${MAX_ALTERNATIVES} numbers`);
  const width = [first, last].some((text) => /^-?0\d/.test(text)) ? Math.max(first.length, last.length) : 0;
  return Array.from({ length: count }, (_, index) => {
    const value = numberOf(first) + index * step * (distance < 0 ? -1 : 1);
    return isNumeric ? padded(value, width) : String.fromCharCode(value);
  });
}

function padded(value: number, width: number): string {
  const sign = value < 0 ? "-" : "";
  return sign + String(Math.abs(value)).padStart(width - sign.length, "0");
}

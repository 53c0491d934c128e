import { PatternError } from "../pattern-error.js";

const MAX_ALTERNATIVES = 1000;
const MAX_LENGTH = 1024;

/** `{a,b}` and `{1..3}` written out. Throws PatternError when there are too many, or a brace stays open. */
export function expandBraces(pattern: string): string[] {
  if (pattern.length > MAX_LENGTH)
    throw new PatternError("glob too long", 0, `use at most ${MAX_LENGTH} characters`);
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
  let depth = 0;
  for (let at = open; at < pattern.length; at++) {
    if (pattern[at] === "\\") at++;
    else if (pattern[at] === "{") depth++;
    else if (pattern[at] === "}" && --depth === 0) return at;
  }
  throw new PatternError(
    "unclosed brace",
    open,
    `add the missing }, or escape it: ${pattern.slice(0, open)}\\{`,
  );
}

/** Behind the `]` that closes the class at `open`; just behind `open` when none does. */
export function endOfClass(pattern: string, open: number): number {
  let at = open + 1;
  if (pattern[at] === "!" || pattern[at] === "^") at++;
  if (pattern[at] === "]") at++;
  for (; at < pattern.length; at++) {
    if (pattern[at] === "\\") at++;
    else if (pattern[at] === "]") return at + 1;
    else if (pattern[at] === "/") break;
  }
  return open + 1;
}

function alternatives(inside: string): string[] {
  const range = /^(-?\d{1,6})\.\.(-?\d{1,6})$/.exec(inside);
  if (range) return numbers(Number(range[1]), Number(range[2]));
  const choices = splitAtCommas(inside);
  if (choices.length === 1) return expandBraces(inside).map((text) => `\\{${text}}`);
  return choices.flatMap((choice) => expandBraces(choice));
}

function splitAtCommas(inside: string): string[] {
  const choices: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < inside.length; at++) {
    if (inside[at] === "\\") at++;
    else if (inside[at] === "{") depth++;
    else if (inside[at] === "}") depth--;
    else if (inside[at] === "," && depth === 0) {
      choices.push(inside.slice(from, at));
      from = at + 1;
    }
  }
  return [...choices, inside.slice(from)];
}

function numbers(from: number, to: number): string[] {
  const count = Math.abs(to - from) + 1;
  if (count > MAX_ALTERNATIVES)
    throw new PatternError("brace range too long", 0, `use at most ${MAX_ALTERNATIVES} numbers`);
  const step = to < from ? -1 : 1;
  return Array.from({ length: count }, (_, index) => String(from + index * step));
}

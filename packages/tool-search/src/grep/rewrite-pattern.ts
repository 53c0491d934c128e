import { PatternError } from "@haft/text/path-rules";
import { compilePattern } from "../engine/match/compile-pattern.js";
import { bodyOfGroup, closingParenthesis } from "./pattern-groups.js";

/**
 * Returns the nearest supported pattern. A look-ahead becomes its text, a negative one is dropped, a back-reference
 * becomes its group's pattern, and unclosed groups are closed. Undefined if that does not help. The result is a
 * suggestion and never runs on its own.
 */
export function rewritePattern(pattern: string, multiline: boolean): string | undefined {
  let rewritten = pattern;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const error = problemOf(rewritten, multiline);
    if (error === undefined) return rewritten === pattern || rewritten === "" ? undefined : rewritten;
    const better = repair(rewritten, error);
    if (better === undefined || better === rewritten) return undefined;
    rewritten = better;
  }
  return undefined;
}

const MAX_ROUNDS = 8;

function problemOf(pattern: string, multiline: boolean): PatternError | undefined {
  try {
    compilePattern({ pattern, multiline });
    return undefined;
  } catch (error) {
    if (error instanceof PatternError) return error;
    throw error;
  }
}

type Repair = (pattern: string, at: number, construct: string) => string | undefined;

/** The beginnings of construct names, and their repairs; the first match applies. */
const REPAIRS: readonly (readonly [begins: RegExp, repair: Repair])[] = [
  [/^(negative )?look-/, withoutLooking],
  [/^(atomic|branch reset) group/, (pattern, at) => splice(pattern, at, { length: 3, by: "(?:" })],
  [/^conditional group/, (pattern, at) => replaceUntil(pattern, at, { end: ")", by: "(?:" })],
  [/^comment group/, (pattern, at) => replaceUntil(pattern, at, { end: ")", by: "" })],
  [/^group name in quotes/, (pattern, at) => replaceName(pattern, at)],
  [/^(named )?back-reference/, withoutReference],
  [/^unclosed group$/, withoutOpening],
  [/^unclosed character class/, (pattern) => `${pattern}]`],
  [/^pattern ends in a lone backslash/, (pattern) => `${pattern}\\`],
  [
    /^(unopened group|repetition \S+ without|repetition operator)/,
    (pattern, at) => insert(pattern, at, "\\"),
  ],
  [/^repetition range/, (pattern, at) => swapped(pattern, at, /^\{\s*(\d+)(\s*,\s*)(\d+)/)],
  [/^character range is backwards/, (pattern, at) => swapped(pattern, at, /^([^\\\]])(-)([^\\\]])/)],
  [/^\\[A-Za-z] is not supported/, replaceEscape],
  [/^unknown escape \\E/, (pattern, at) => splice(pattern, at, { length: 2, by: "" })],
  [/^unknown escape/, (pattern, at) => splice(pattern, at, { length: 1, by: "" })],
];

function repair(pattern: string, { construct, position }: PatternError): string | undefined {
  const found = REPAIRS.find(([begins]) => begins.test(construct));
  return found?.[1](pattern, position, construct);
}

function withoutLooking(pattern: string, at: number, construct: string): string | undefined {
  const start = at + (pattern.startsWith("(?<", at) ? 4 : 3);
  const end = closingParenthesis(pattern, start);
  if (end === undefined) return undefined;
  const by = construct.startsWith("negative") ? "" : `(?:${pattern.slice(start, end)})`;
  return splice(pattern, at, { length: end + 1 - at, by });
}

// A final parenthesis, as in `load(`, means the character; an empty group would match everywhere.
function withoutOpening(pattern: string): string {
  const isLast = /(?<!\\)(?:\\\\)*\($/.test(pattern);
  return isLast ? insert(pattern, pattern.length - 1, "\\") : `${pattern})`;
}

function withoutReference(pattern: string, at: number): string | undefined {
  const found = /^(?:\\([1-9]\d?)|\\k[<{']([^>}']*)[>}']|\(\?P=([^)]*)\))/.exec(pattern.slice(at));
  if (!found) return undefined;
  const [written, number, name = found[3] ?? ""] = found;
  const body = bodyOfGroup(pattern.slice(0, at), number === undefined ? name : Number(number));
  return body === undefined ? undefined : splice(pattern, at, { length: written.length, by: `(?:${body})` });
}

const ESCAPES: Readonly<Record<string, string | undefined>> = {
  Z: "\\z",
  G: "^",
  K: "",
  R: "\\r?\\n",
  X: ".",
  h: "[ \\t]",
  H: "[^ \\t]",
  N: ".",
  e: "\\x1b",
};

function replaceEscape(pattern: string, at: number): string | undefined {
  const by = ESCAPES[pattern[at + 1] ?? ""];
  return by === undefined ? undefined : splice(pattern, at, { length: 2, by });
}

function replaceName(pattern: string, at: number): string | undefined {
  const found = /^\(\?'(\w+)'/.exec(pattern.slice(at));
  return found ? splice(pattern, at, { length: found[0].length, by: `(?P<${found[1]}>` }) : undefined;
}

function swapped(pattern: string, at: number, form: RegExp): string | undefined {
  const [written = "", low = "", between = "", high = ""] = form.exec(pattern.slice(at)) ?? [];
  const before = written.slice(0, written.indexOf(low));
  return written === ""
    ? undefined
    : splice(pattern, at, { length: written.length, by: before + high + between + low });
}

function replaceUntil(pattern: string, at: number, change: { end: string; by: string }): string | undefined {
  const end = pattern.indexOf(change.end, at);
  return end < 0 ? undefined : splice(pattern, at, { length: end + 1 - at, by: change.by });
}

function insert(pattern: string, at: number, text: string): string {
  return splice(pattern, at, { length: 0, by: text });
}

function splice(pattern: string, at: number, change: { length: number; by: string }): string {
  return pattern.slice(0, at) + change.by + pattern.slice(at + change.length);
}

import { lazyPattern } from "../lazy-pattern.js";

/** The contents of `[…]` in a glob. */
export interface CharSet {
  readonly negated: boolean;
  readonly ignoreCase: boolean;
  /** First and last code point of each range. */
  readonly pairs: readonly (readonly [number, number])[];
  readonly classes: readonly RegExp[];
}

/** Parses the text between the brackets: `a-z`, `!0-9`, `[:alpha:]_`. */
export function parseCharSet(inside: string, ignoreCase: boolean): CharSet {
  const negated = inside[0] === "!" || inside[0] === "^";
  const classes: RegExp[] = [];
  const rest = (negated ? inside.slice(1) : inside).replace(/\[:([a-z]+):\]/g, (written, name: string) => {
    const found = CLASSES[ignoreCase && /^(upp|low)er$/.test(name) ? "alpha" : name];
    if (!found) return written;
    classes.push(found());
    return "";
  });
  return { negated, ignoreCase, pairs: pairsOf(Array.from(rest)), classes };
}

/**
 * Ignoring case, a set contains a character if it contains either case. `[B-a]` means the range as written.
 */
export function isInSet(set: CharSet, char: string): boolean {
  const isNamed = set.ignoreCase
    ? names(set, char) || names(set, char.toLowerCase()) || names(set, char.toUpperCase())
    : names(set, char);
  return isNamed !== set.negated;
}

function names({ pairs, classes }: CharSet, char: string): boolean {
  const point = char.codePointAt(0) as number;
  return (
    pairs.some(([low, high]) => low <= point && point <= high) || classes.some((each) => each.test(char))
  );
}

/**
 * Returns the index after the `]` that closes the class at `open`, or just after `open` if it is unclosed.
 */
export function endOfClass(pattern: string, open: number): number {
  let at = open + 1;
  if (pattern[at] === "!" || pattern[at] === "^") at++;
  if (pattern[at] === "]") at++;
  for (; at < pattern.length; at++) {
    if (pattern[at] === "\\") at++;
    else if (pattern[at] === "]") return at + 1;
    else if (pattern[at] === "/") break;
    else if (pattern[at] === "[")
      at += (/^\[:[a-z]{1,6}:\]/.exec(pattern.slice(at, at + 10))?.[0].length ?? 1) - 1;
  }
  return open + 1;
}

const CLASSES: Readonly<Record<string, (() => RegExp) | undefined>> = {
  alnum: lazyPattern(String.raw`[\p{L}\p{N}]`),
  alpha: lazyPattern(String.raw`\p{L}`),
  blank: () => /[ \t]/,
  cntrl: lazyPattern(String.raw`\p{Cc}`),
  digit: () => /[0-9]/,
  graph: lazyPattern(String.raw`[^\p{Z}\p{C}]`),
  lower: lazyPattern(String.raw`\p{Ll}`),
  print: lazyPattern(String.raw`[^\p{C}]`),
  punct: lazyPattern(String.raw`[\p{P}\p{S}]`),
  space: () => /\s/,
  upper: lazyPattern(String.raw`\p{Lu}`),
  word: lazyPattern(String.raw`[\p{L}\p{N}_]`),
  xdigit: () => /[0-9A-Fa-f]/,
};

function pairsOf(chars: readonly string[]): readonly (readonly [number, number])[] {
  const pairs: [number, number][] = [];
  for (let at = 0; at < chars.length; at++) {
    at = placeOf(chars, at);
    const low = pointAt(chars, at);
    const isRange = chars[at + 1] === "-" && at + 2 < chars.length;
    if (isRange) at = placeOf(chars, at + 2);
    pairs.push([low, isRange ? pointAt(chars, at) : low]);
  }
  return pairs;
}

/** Returns the index of the literal character, skipping a backslash. */
function placeOf(chars: readonly string[], at: number): number {
  return chars[at] === "\\" && at + 1 < chars.length ? at + 1 : at;
}

function pointAt(chars: readonly string[], at: number): number {
  return (chars[at] as string).codePointAt(0) as number;
}

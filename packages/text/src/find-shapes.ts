import type { SecretShape } from "./secret-shapes.js";

/** Sequences that end in a letter but may precede a word: `\n` in JSON, `%3D` in a URL, a terminal colour. */
export const ESCAPES = String.raw`\\[nrt]|%[0-9A-Fa-f]{2}|\x1b\[[0-9;]{0,12}m`;

/** Replaces each match in a text with `[secret:NAME]`. */
export type ShapeRedactor = (text: string) => string;

/**
 * Creates a redactor for shapes with a fixed prefix. One pass finds the prefixes, and each shape is tried
 * only at its own. Bodies are bounded, so the cost is linear even for a text full of prefixes.
 */
export function prefixRedactor(shapes: readonly SecretShape[]): ShapeRedactor {
  const byPrefix = indexOf(shapes);
  const finder = new RegExp([...byPrefix.keys()].sort(longestFirst).map(escaped).join("|"), "g");
  return (text) => {
    let redacted = "";
    let done = 0;
    finder.lastIndex = 0;
    for (let hit = finder.exec(text); hit !== null; hit = finder.exec(text)) {
      const found = shapeAt(text, hit.index, byPrefix.get(hit[0]) ?? []);
      // A shorter prefix may occur inside this one.
      finder.lastIndex = found === undefined ? hit.index + 1 : found.end;
      if (found === undefined) continue;
      redacted += `${text.slice(done, hit.index)}[secret:${found.name}]`;
      done = found.end;
    }
    return done === 0 ? text : redacted + text.slice(done);
  };
}

interface Candidate {
  readonly name: string;
  readonly prefix: string;
  readonly pattern: RegExp;
  /**
   * Whether the body may contain a hyphen, so that a hyphen before the match makes it part of a longer word.
   */
  readonly takesHyphen: boolean;
}

/** Shapes to try for each prefix: its own, then those of shorter prefixes it starts with. */
function indexOf(shapes: readonly SecretShape[]): ReadonlyMap<string, readonly Candidate[]> {
  const candidates = shapes.flatMap(({ name, prefixes, body }) =>
    prefixes.map((prefix) => ({
      name,
      prefix,
      pattern: new RegExp(escaped(prefix) + body, "y"),
      takesHyphen: body.includes("-]"),
    })),
  );
  candidates.sort((left, right) => longestFirst(left.prefix, right.prefix));
  return new Map(
    candidates.map(({ prefix }) => [prefix, candidates.filter((each) => prefix.startsWith(each.prefix))]),
  );
}

function shapeAt(
  text: string,
  at: number,
  candidates: readonly Candidate[],
): { readonly name: string; readonly end: number } | undefined {
  for (const { name, prefix, pattern, takesHyphen } of candidates) {
    const isInWord = takesHyphen && text.charAt(at - 1) === "-";
    if (!isUnmistakable(prefix) && (isInWord || !isWordStart(text, at))) continue;
    pattern.lastIndex = at;
    if (pattern.test(text)) return { name, end: pattern.lastIndex };
  }
  return undefined;
}

/**
 * A long prefix with punctuation also counts in the middle of a word; a short one would match in any blob.
 */
function isUnmistakable(prefix: string): boolean {
  return (
    prefix.length > 12 ||
    (prefix.length >= 5 && /[_~=-]$/.test(prefix)) ||
    /^(?:gh[pousr]_|npm_)$/.test(prefix)
  );
}

/** A word also starts after an escape: `\n` in JSON, `%3D` in a URL, a terminal colour. */
function isWordStart(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - NEARBY), at);
  if (/\w$/.test(before)) return BEHIND_ESCAPE.test(before);
  return !IN_BASE64.test(before);
}

const NEARBY = 21;
const BEHIND_ESCAPE = new RegExp(`(?:${ESCAPES})$`);
const IN_BASE64 = /[A-Za-z0-9+/]{20}[+/]$/;

function longestFirst(left: string, right: string): number {
  return right.length - left.length;
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

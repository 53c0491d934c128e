import { endOfClass } from "./expand-braces.js";

/** Whether a name, which holds no slash, matches one segment of a glob. */
export type SegmentMatcher = (name: string) => boolean;

/** Time is at most the name's length times the segment's: the last `*` is the only one ever tried again. */
export function segmentMatcher(segment: string, ignoreCase: boolean): SegmentMatcher {
  const tokens = parseTokens(ignoreCase ? segment.toLowerCase() : segment);
  const match = specialised(tokens) ?? ((name: string) => matchTokens(tokens, name));
  return ignoreCase ? (name) => match(name.toLowerCase()) : match;
}

type Token = string | typeof STAR | typeof ONE | CharSet;

const STAR = Symbol("*");
const ONE = Symbol("?");

interface CharSet {
  readonly negated: boolean;
  readonly pairs: readonly (readonly [string, string])[];
}

function parseTokens(segment: string): Token[] {
  const tokens: Token[] = [];
  const chars = Array.from(segment);
  for (let at = 0, offset = 0; at < chars.length; at++) {
    const char = chars[at] as string;
    const end = char === "[" ? endOfClass(segment, offset) : 0;
    if (char === "*") {
      if (tokens.at(-1) !== STAR) tokens.push(STAR);
    } else if (char === "?") tokens.push(ONE);
    else if (char === "\\" && at + 1 < chars.length) {
      offset += char.length;
      tokens.push(chars[++at] as string);
    } else if (end > offset + 1) {
      const inside = segment.slice(offset + 1, end - 1);
      tokens.push(parseSet(inside));
      at += Array.from(inside).length + 1;
      offset = end;
      continue;
    } else tokens.push(char);
    offset += (chars[at] as string).length;
  }
  return tokens;
}

function parseSet(inside: string): CharSet {
  const negated = inside[0] === "!" || inside[0] === "^";
  const chars = Array.from(negated ? inside.slice(1) : inside);
  const pairs: [string, string][] = [];
  for (let at = 0; at < chars.length; at++) {
    if (chars[at] === "\\" && at + 1 < chars.length) at++;
    const low = chars[at] as string;
    const isRange = chars[at + 1] === "-" && at + 2 < chars.length;
    const high = isRange ? (chars[at + 2] as string) : low;
    pairs.push([low, high]);
    if (isRange) at += 2;
  }
  return { negated, pairs };
}

// The shapes nearly all globs have: a plain name, `*`, `*.ts`, `test*`.
function specialised(tokens: readonly Token[]): SegmentMatcher | undefined {
  const stars = tokens.filter((token) => token === STAR).length;
  if (tokens.some((token) => typeof token !== "string" && token !== STAR) || stars > 1) return undefined;
  const text = tokens.filter((token) => typeof token === "string").join("");
  if (stars === 0) return (name) => name === text;
  if (text === "") return () => true;
  if (tokens[0] === STAR) return (name) => name.endsWith(text);
  return tokens.at(-1) === STAR ? (name) => name.startsWith(text) : undefined;
}

function matchTokens(tokens: readonly Token[], name: string): boolean {
  const chars = Array.from(name);
  let token = 0;
  let at = 0;
  let star = -1;
  let starAt = 0;
  while (at < chars.length) {
    if (tokens[token] === STAR) {
      star = token++;
      starAt = at;
    } else if (token < tokens.length && matchesChar(tokens[token] as Token, chars[at] as string)) {
      token++;
      at++;
    } else if (star >= 0) {
      token = star + 1;
      at = ++starAt;
    } else return false;
  }
  while (tokens[token] === STAR) token++;
  return token === tokens.length;
}

function matchesChar(token: Token, char: string): boolean {
  if (typeof token === "string") return token === char;
  if (typeof token === "symbol") return token === ONE;
  return token.pairs.some(([low, high]) => low <= char && char <= high) !== token.negated;
}

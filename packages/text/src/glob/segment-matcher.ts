import { extendedMatcher } from "./extended-matcher.js";
import { type SegmentMatcher, segmentTokens, type Token, tokenAccepts } from "./segment-tokens.js";

export interface SegmentOptions {
  readonly ignoreCase?: boolean;
  /** `@(a|b)` and the like are groups; ignore files know none. */
  readonly extended?: boolean;
}

/** Time is at most the name's length times the segment's: the last `*` is the only one ever tried again. */
export function segmentMatcher(segment: string, options: SegmentOptions = {}): SegmentMatcher {
  const { ignoreCase = false, extended = false } = options;
  const grouped = extended ? extendedMatcher(segment, ignoreCase) : undefined;
  if (grouped) return grouped;
  const tokens = segmentTokens(segment, ignoreCase);
  const match = specialised(tokens) ?? ((name: string) => matchTokens(tokens, name));
  return ignoreCase ? (name) => match(name.toLowerCase()) : match;
}

// The shapes nearly all globs have: a plain name, `*`, `*.ts`, `test*`.
function specialised(tokens: readonly Token[]): SegmentMatcher | undefined {
  const stars = tokens.filter((token) => token === "*").length;
  const text = tokens
    .map((token) => (typeof token !== "string" && "char" in token ? token.char : ""))
    .join("");
  if (stars > 1 || Array.from(text).length + stars < tokens.length) return undefined;
  if (stars === 0) return (name) => name === text;
  if (text === "") return () => true;
  if (tokens[0] === "*") return (name) => name.endsWith(text);
  return tokens.at(-1) === "*" ? (name) => name.startsWith(text) : undefined;
}

function matchTokens(tokens: readonly Token[], name: string): boolean {
  const chars = Array.from(name);
  let token = 0;
  let at = 0;
  let star = -1;
  let starAt = 0;
  while (at < chars.length) {
    if (tokens[token] === "*") {
      star = token++;
      starAt = at;
    } else if (token < tokens.length && tokenAccepts(tokens[token] as Token, chars[at] as string)) {
      token++;
      at++;
    } else if (star >= 0) {
      token = star + 1;
      at = ++starAt;
    } else return false;
  }
  while (tokens[token] === "*") token++;
  return token === tokens.length;
}

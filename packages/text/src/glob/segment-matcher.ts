import { extendedMatcher } from "./extended-matcher.js";
import { matchStars } from "./match-stars.js";
import { type SegmentMatcher, segmentTokens, type Token, tokenAccepts } from "./segment-tokens.js";

interface SegmentOptions {
  readonly ignoreCase?: boolean;
  /** Whether `@(a|b)` and the like are groups. Ignore files do not support them. */
  readonly extended?: boolean;
}

/** Time is at most name length times segment length: only the last `*` is ever retried. */
export function segmentMatcher(segment: string, options: SegmentOptions = {}): SegmentMatcher {
  const { ignoreCase = false, extended = false } = options;
  const grouped = extended ? extendedMatcher(segment, ignoreCase) : undefined;
  if (grouped) return grouped;
  const tokens = segmentTokens(segment, ignoreCase);
  const match = specialised(tokens) ?? ((name: string) => matchTokens(tokens, name));
  return ignoreCase ? (name) => match(name.toLowerCase()) : match;
}

// Fast paths for the most common shapes: a plain name, `*`, `*.ts`, `test*`.
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
  return matchStars(tokens, chars.length, (token, at) => tokenAccepts(token, chars[at] as string));
}

import { type CharSet, endOfClass, isInSet, parseCharSet } from "./char-set.js";

/** Tests whether a name without slashes matches one segment of a glob. */
export type SegmentMatcher = (name: string) => boolean;

/** `*`, `?`, a set, or a literal character. */
export type Token = "*" | "?" | CharSet | { readonly char: string };

export function segmentTokens(segment: string, ignoreCase: boolean): Token[] {
  const plain = (char: string) => ({ char: ignoreCase ? char.toLowerCase() : char });
  const tokens: Token[] = [];
  for (let at = 0; at < segment.length; ) {
    const char = String.fromCodePoint(segment.codePointAt(at) as number);
    const end = char === "[" ? endOfClass(segment, at) : 0;
    if (end > at + 1) {
      tokens.push(parseCharSet(segment.slice(at + 1, end - 1), ignoreCase));
      at = end;
    } else if (char === "\\" && at + 1 < segment.length) {
      const escaped = String.fromCodePoint(segment.codePointAt(at + 1) as number);
      tokens.push(plain(escaped));
      at += 1 + escaped.length;
    } else {
      if (char === "?" || (char === "*" && tokens.at(-1) !== "*")) tokens.push(char);
      else if (char !== "*") tokens.push(plain(char));
      at += char.length;
    }
  }
  return tokens;
}

/** Whether a token other than `*` matches one character. */
export function tokenAccepts(token: Token, char: string): boolean {
  if (typeof token === "string") return token === "?";
  return "char" in token ? token.char === char : isInSet(token, char);
}

import type { PathMatcher } from "../glob/glob-matcher.js";
import { type FolderRules, matchFolders } from "../glob/match-folders.js";
import { matchStars } from "../glob/match-stars.js";
import { parseByteClass } from "./byte-class.js";

/**
 * Compiles an ignore rule with wildcards as git does: byte by byte, starting after the literal text before the first
 * wildcard. So `a` and two stars before a slash match an `a` followed by any folders. A rule that git cannot parse
 * matches nothing. Both arguments of a match are byte strings. Time is at most rule length times path length.
 */
export function ignorePattern(pattern: string): PathMatcher {
  const prefix = /^[^*?[\\]*/.exec(pattern)?.[0] ?? "";
  const segments = parseSegments(pattern, prefix.length);
  if (!segments) return () => false;
  return (path) =>
    path.startsWith(prefix) && matchFolders(segments, path.slice(prefix.length).split("/"), RULES);
}

/** A byte, any byte, any number of bytes, or one of a set. */
type Token = number | "?" | "*" | Uint8Array;

/** The tokens between two slashes, or any number of folders. */
type Segment = readonly Token[] | "**";

function parseSegments(pattern: string, from: number): readonly Segment[] | undefined {
  const segments: Segment[] = [];
  let tokens: Token[] = [];
  let stars = 0;
  const close = (isEscaped = false) => {
    const isFolders = tokens.length === 1 && tokens[0] === "*" && stars > 1;
    segments.push(isFolders ? "**" : tokens);
    // Before an escaped slash, git lets two stars match any folders but none.
    if (isFolders && isEscaped) segments.push(["*"]);
    tokens = [];
    stars = 0;
  };
  for (let at = from; at < pattern.length; at++) {
    let char = pattern[at] as string;
    if (char === "*") {
      if (tokens.at(-1) !== "*") tokens.push("*");
      stars++;
      continue;
    }
    if (char === "[") {
      const found = parseByteClass(pattern, at);
      if (!found) return undefined;
      tokens.push(found.set);
      at = found.end - 1;
      continue;
    }
    const isEscaped = char === "\\";
    if (isEscaped) char = pattern[++at] ?? "";
    if (char === "") return undefined;
    if (char === "/") close(isEscaped);
    else tokens.push(char === "?" && !isEscaped ? "?" : char.charCodeAt(0));
  }
  close();
  return segments;
}

const RULES: FolderRules<readonly Token[]> = { accepts: matchTokens, mayPass: () => true };

function matchTokens(tokens: readonly Token[], name: string): boolean {
  return matchStars(tokens, name.length, (token, at) => accepts(token, name.charCodeAt(at)));
}

function accepts(token: Exclude<Token, "*">, byte: number): boolean {
  if (typeof token === "number") return token === byte;
  return token === "?" || token[byte] === 1;
}

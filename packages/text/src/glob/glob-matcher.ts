import { PatternError } from "../pattern-error.js";
import { endOfClass } from "./char-set.js";
import { expandBraces } from "./expand-braces.js";
import { beginsWithDottedGroup } from "./extended-matcher.js";
import { segmentMatcher } from "./segment-matcher.js";
import type { SegmentMatcher } from "./segment-tokens.js";

export type PathMatcher = (path: string) => boolean;

export interface GlobOptions {
  readonly ignoreCase?: boolean;
  /** Wildcards match names that start with a dot. Otherwise the pattern has to write the dot. */
  readonly dot?: boolean;
}

/** A matcher for paths with `/`. Throws PatternError, and never takes more than path times pattern to answer. */
export function globMatcher(pattern: string, options: GlobOptions = {}): PathMatcher {
  checkGlob(pattern);
  const matchers = expandBraces(pattern).map((plain) => pathMatcher(plain, { ...options, extended: true }));
  if (matchers.length === 1) return matchers[0] as PathMatcher;
  return (path) => matchers.some((matches) => matches(path));
}

export interface PathMatcherOptions extends GlobOptions {
  readonly extended?: boolean;
}

/** A matcher for one pattern without braces; unless `extended`, as ignore files have them. */
export function pathMatcher(pattern: string, options: PathMatcherOptions): PathMatcher {
  const segments = splitSegments(pattern, options).map((segment): Segment => {
    if (segment === "**") return { any: true, wild: true, matches: () => true };
    return {
      any: false,
      wild: isWild(segment, options),
      matches: segmentMatcher(segment, options),
    };
  });
  const dot = options.dot ?? false;
  const last = segments.at(-1);
  const matches: PathMatcher = (path) => matchSegments(segments, path.split("/"), dot);
  if (!last || last.any || segments.length === 1) return matches;
  // Most paths fail by their name, and `**/*.ts` asks for nothing else.
  const isByName = segments.length === 2 && segments[0]?.any === true;
  return (path) => {
    if (!accepts(last, path.slice(path.lastIndexOf("/") + 1), dot)) return false;
    return (isByName && (dot || !mayHide(path))) || matches(path);
  };
}

function mayHide(path: string): boolean {
  return path.startsWith(".") || path.includes("/.");
}

function isWild(segment: string, { extended = false }: PathMatcherOptions): boolean {
  if (extended && /^[@+*?!]\(/.test(segment)) return !beginsWithDottedGroup(segment);
  return /^[*?[]/.test(segment);
}

interface Segment {
  /** `**`: any number of segments, and at least one at the end. */
  readonly any: boolean;
  readonly wild: boolean;
  readonly matches: SegmentMatcher;
}

const MAX_GLOBSTARS = 8;

function checkGlob(pattern: string): void {
  if (pattern === "") throw new PatternError("empty glob", 0, "write **/* for everything");
  if ((pattern.match(/\*\*\//g)?.length ?? 0) > MAX_GLOBSTARS) {
    throw new PatternError("too many ** in a glob", 0, `use at most ${MAX_GLOBSTARS}`);
  }
  for (let at = 0; at < pattern.length; at++) {
    if (pattern[at] === "\\") at++;
    else if (pattern[at] === "[") {
      const end = endOfClass(pattern, at);
      if (end === at + 1) {
        const repaired = `${pattern.slice(0, at)}\\${pattern.slice(at)}`;
        throw new PatternError("unclosed bracket", at, `close it, or write ${repaired} for the character`);
      }
      at = end - 1;
    }
  }
}

// In a call `./src` is `src`; in an ignore file it matches nothing, since no path that git compares begins with a dot alone.
function splitSegments(pattern: string, { extended = false }: PathMatcherOptions): string[] {
  const trimmed = extended ? pattern.replace(/^\.\//, "") : pattern;
  return trimmed.split("/").filter((segment, index, all) => segment !== "**" || all[index - 1] !== "**");
}

// Like names against `*`: only the last `**` is ever tried again, one segment further.
function matchSegments(segments: readonly Segment[], names: readonly string[], dot: boolean): boolean {
  let segment = 0;
  let at = 0;
  let star = -1;
  let starAt = 0;
  while (at < names.length) {
    const current = segments[segment];
    if (current?.any) {
      if (segment === segments.length - 1) return dot || !names.slice(at).some(isHidden);
      star = segment++;
      starAt = at;
    } else if (current && accepts(current, names[at] as string, dot)) {
      segment++;
      at++;
    } else if (star >= 0 && (dot || !isHidden(names[starAt] as string))) {
      segment = star + 1;
      at = ++starAt;
    } else return false;
  }
  return segment === segments.length;
}

function accepts(segment: Segment, name: string, dot: boolean): boolean {
  return (dot || !segment.wild || !isHidden(name)) && segment.matches(name);
}

function isHidden(name: string): boolean {
  return name.startsWith(".");
}

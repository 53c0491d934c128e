import { PatternError } from "../pattern-error.js";
import { endOfClass } from "./char-set.js";
import { expandBraces } from "./expand-braces.js";
import { beginsWithDottedGroup } from "./extended-matcher.js";
import { type FolderRules, matchFolders } from "./match-folders.js";
import { segmentMatcher } from "./segment-matcher.js";
import type { SegmentMatcher } from "./segment-tokens.js";

export type PathMatcher = (path: string) => boolean;

export interface GlobOptions {
  readonly ignoreCase?: boolean;
  /** Whether wildcards match names that start with a dot. If false, the pattern must contain the dot. */
  readonly dot?: boolean;
}

/**
 * Compiles a matcher for `/` paths. Throws PatternError. Matching time is at most path length times pattern
 * length.
 */
export function globMatcher(pattern: string, options: GlobOptions = {}): PathMatcher {
  checkGlob(pattern);
  const matchers = expandBraces(pattern).map((plain) => pathMatcher(plain, { ...options, extended: true }));
  if (matchers.length === 1) return matchers[0] as PathMatcher;
  return (path) => matchers.some((matches) => matches(path));
}

interface PathMatcherOptions extends GlobOptions {
  readonly extended?: boolean;
}

/** Compiles one pattern without braces. Unless `extended`, uses the syntax of ignore files. */
export function pathMatcher(pattern: string, options: PathMatcherOptions): PathMatcher {
  const segments = splitSegments(pattern, options).map((segment): Segment | "**" => {
    if (segment === "**") return segment;
    return { wild: isWild(segment, options), matches: segmentMatcher(segment, options) };
  });
  const dot = options.dot ?? false;
  const last = segments.at(-1);
  const rules: FolderRules<Segment> = {
    accepts: (segment, name) => accepts(segment, name, dot),
    mayPass: (name) => dot || !isHidden(name),
  };
  const matches: PathMatcher = (path) => matchFolders(segments, path.split("/"), rules);
  if (!last || last === "**" || segments.length === 1) return matches;
  // Most paths fail on their last name, and `**/*.ts` checks only that.
  const isByName = segments.length === 2 && segments[0] === "**";
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

// In a call, `./src` means `src`. In an ignore file it matches nothing, because git never compares paths
// starting with `./`.
function splitSegments(pattern: string, { extended = false }: PathMatcherOptions): string[] {
  const trimmed = extended ? pattern.replace(/^\.\//, "") : pattern;
  return trimmed.split("/").filter((segment, index, all) => segment !== "**" || all[index - 1] !== "**");
}

function accepts(segment: Segment, name: string, dot: boolean): boolean {
  return (dot || !segment.wild || !isHidden(name)) && segment.matches(name);
}

function isHidden(name: string): boolean {
  return name.startsWith(".");
}

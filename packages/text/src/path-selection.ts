import { pathExamples } from "./path-examples.js";
import { compilePathPattern, countAlternatives } from "./path-pattern.js";
import { assertReadablePattern } from "./readable-pattern.js";

/** Selects the paths that match `only` (default: all) and do not match `not`. */
export interface PathSelection {
  readonly only?: readonly string[] | undefined;
  readonly not?: readonly string[] | undefined;
}

export interface CompiledSelection {
  selects(path: string): boolean;
  /** Whether a path is certainly a directory above a path excluded by `not`. */
  leadsToLeftOut(path: string): boolean;
  /** Whether `not` may exclude something below a directory. */
  mayLeaveOutBelow(directory: string): boolean;
  /** Whether `not` excludes every path that `only` names. False if the patterns do not allow a conclusion. */
  isEmpty(): boolean;
  /** The directories above the paths excluded by `not`; undefined if its patterns do not allow a conclusion. */
  readonly openFolders: ReadonlySet<string> | undefined;
  /** The number of patterns, with braces written out: each path is compared with all of them. */
  readonly size: number;
}

/** A configuration that nobody trusts can contain patterns too. */
const MAX_SIZE = 10_000;

/**
 * Compiles a selection and applies the stricter interpretation. A restricting pattern ignores case and covers
 * everything below a directory it matches; a permitting pattern covers only exact matches. With `restricts`, the
 * selected paths are closed and `not` permits. Throws an Error on an invalid pattern, and on
 * patterns that expand to more than 10,000 alternatives.
 */
export function compilePathSelection(selection: PathSelection, restricts: boolean): CompiledSelection {
  const { only, not = [] } = selection;
  for (const pattern of [...(only ?? []), ...not]) assertReadablePattern(pattern);
  const size = sizeOf([...(only ?? []), ...not]);
  const isWanted = only === undefined ? () => true : matcher(only, restricts);
  const isLeftOut = matcher(not, !restricts);
  const starts = not.map(literalStart);
  const selects = (path: string) => isWanted(path) && !isLeftOut(path);
  const isDead = (pattern: string) =>
    pathExamples(pattern)?.every((path) => !selects(path)) ?? not.includes(pattern);
  return {
    size,
    selects,
    isEmpty: () => not.length > 0 && (only ?? ["**"]).every(isDead),
    leadsToLeftOut: (path) =>
      starts.some((start) => mayLeadTo(path, start) && depthOf(path) <= start.segments.length),
    mayLeaveOutBelow: (directory) => starts.some((start) => mayLeadTo(directory, start)),
    openFolders: starts.every(({ isWhole }) => isWhole)
      ? new Set(starts.flatMap(({ segments }) => foldersAbove(segments)))
      : undefined,
  };
}

/** Stops at the limit, because counting writes the braces out. */
function sizeOf(patterns: readonly string[]): number {
  let size = 0;
  for (const pattern of patterns) {
    size += countAlternatives(pattern);
    if (size > MAX_SIZE) throw new Error(`The patterns expand to more than ${MAX_SIZE} alternatives`);
  }
  return size;
}

function matcher(patterns: readonly string[], restricts: boolean): (path: string) => boolean {
  return compilePathPattern(patterns, { ignoreCase: restricts, covering: restricts });
}

interface LiteralStart {
  /** Leading directories of the pattern, up to the first name with a wildcard. */
  readonly segments: readonly string[];
  /** Whether the rest of the pattern covers everything below them. */
  readonly isWhole: boolean;
}

function literalStart(pattern: string): LiteralStart {
  const relative = pattern.replace(/^(?:\.?\/)+/, "");
  const isRooted = relative !== pattern || relative.replace(/\/+$/, "").includes("/");
  if (!isRooted) return { segments: [], isWhole: false };
  const segments = relative.replace(/\/+$/, "").split("/");
  const wild = segments.findIndex((segment) => /[*?[{\\]/.test(segment));
  if (wild === -1) return { segments, isWhole: true };
  const isWhole = wild === segments.length - 1 && segments[wild] === "**";
  return { segments: segments.slice(0, wild), isWhole };
}

function mayLeadTo(directory: string, { segments }: LiteralStart): boolean {
  const given = directory === "" ? [] : directory.split("/");
  return given.every((name, index) => index >= segments.length || name === segments[index]);
}

function depthOf(path: string): number {
  return path === "" ? 0 : path.split("/").length;
}

function foldersAbove(segments: readonly string[]): readonly string[] {
  return segments.map((_, index) => segments.slice(0, index).join("/"));
}

import { endOfClass } from "./glob/char-set.js";
import { writeOutBraces } from "./glob/expand-braces.js";
import { type PathMatcher, pathMatcher } from "./glob/glob-matcher.js";
import { closingPlace } from "./glob/split-outside.js";

export interface PathPatternOptions {
  /** Ignores case, and whether an accented letter is written as one character or as two. */
  readonly ignoreCase?: boolean | undefined;
  /** A pattern that matches a directory also matches everything below it. */
  readonly covering?: boolean | undefined;
}

/**
 * Compiles glob patterns for paths with forward slashes, relative to some root. A path matches if any pattern does,
 * so an empty list matches nothing. Throws an Error that explains what is wrong with a pattern.
 *
 * - `*.ts`: without a slash, the pattern applies to the last name in the path, at any depth.
 * - `src/*.ts`: with a slash, it applies to the whole path. A leading `/` or `./` means the root: `/*.ts`.
 * - `src/**`: everything below `src`, and `src` itself, so that a walk can skip the directory early.
 * - `build/`: the same for a directory of that name at any depth.
 *
 * `*` and `**` match names that start with a dot. `{a,b}`, `[a-z]`, `?` and `\` work as in a shell. A leading `!` or
 * `#`, and `+(a|b)`, are literal.
 */
export function compilePathPattern(
  pattern: string | readonly string[],
  options: PathPatternOptions = {},
): (path: string) => boolean {
  const patterns = typeof pattern === "string" ? [pattern] : pattern;
  const { ignoreCase = false } = options;
  const spelled = ignoreCase ? composed : (text: string) => text;
  const matchers = patterns.flatMap((each) => compileOne(spelled(each), ignoreCase));
  if (matchers.length === 0) return () => false;
  const matches = (path: string) => matchers.some((matcher) => matcher(spelled(path)));
  if (options.covering !== true) return (path) => matches(withoutOuterSlashes(path));
  return (path) => {
    const relative = withoutOuterSlashes(path);
    for (let end = relative.length; end > 0; end = relative.lastIndexOf("/", end - 1))
      if (matches(relative.slice(0, end))) return true;
    return relative === "" && matches("");
  };
}

/** Runs for every path of a walk, and most are ASCII. */
function composed(text: string): string {
  return NOT_ASCII.test(text) ? text.normalize("NFC") : text;
}

const NOT_ASCII = /[\u0080-\uffff]/;
const maxLength = 1024;
const maxAlternatives = 1000;
const maxGlobstars = 8;

/** Counts what a pattern stands for, with braces written out. Throws like `compilePathPattern`. */
export function countAlternatives(pattern: string): number {
  return alternativesOf(anchor(pattern).body, pattern).length;
}

function compileOne(pattern: string, ignoreCase: boolean): readonly PathMatcher[] {
  if (pattern.length > maxLength)
    throw new Error(`The pattern is ${pattern.length} characters long; at most ${maxLength} are allowed`);
  if (/^[./]*$/.test(pattern)) throw new Error(`The pattern "${pattern}" matches no path`);
  const { body, anyDepth } = anchor(pattern);
  return alternativesOf(body, pattern).flatMap((plain) => {
    const rooted = anyDepth && !plain.includes("/") ? `**/${plain}` : plain;
    const compile = (one: string) => pathMatcher(one, { dot: true, ignoreCase });
    return rooted.endsWith("/**") ? [compile(rooted), compile(rooted.slice(0, -3))] : [compile(rooted)];
  });
}

function alternativesOf(body: string, pattern: string): readonly string[] {
  const alternatives = expanded(withoutOpenBrackets(body));
  if (alternatives === undefined || alternatives.length > maxAlternatives)
    throw new Error(`The braces in "${pattern}" expand to more than ${maxAlternatives} alternatives`);
  if (alternatives.some((each) => each.split("**").length - 1 > maxGlobstars))
    throw new Error(`The pattern "${pattern}" has more than ${maxGlobstars} "**"`);
  return alternatives;
}

/** Returns undefined for too many. */
function expanded(body: string): readonly string[] | undefined {
  try {
    return writeOutBraces(body);
  } catch {
    return undefined;
  }
}

/** Escapes brackets and braces that are never closed, so that they match literally. */
function withoutOpenBrackets(body: string): string {
  let closed = "";
  for (let at = 0; at < body.length; at += 1) {
    const character = body[at] as string;
    const isOpen =
      (character === "[" && endOfClass(body, at) === at + 1) ||
      (character === "{" && closingPlace(body, at, "{}") === undefined);
    const end = character === "\\" ? at + 2 : character === "[" ? endOfClass(body, at) : at + 1;
    closed += isOpen ? `\\${character}` : body.slice(at, end);
    if (!isOpen) at = end - 1;
  }
  return closed;
}

function anchor(pattern: string): { body: string; anyDepth: boolean } {
  const relative = pattern.replace(/^(?:\.?\/)+/, "");
  const isRooted = relative !== pattern;
  if (!relative.endsWith("/")) return { body: relative, anyDepth: !isRooted };
  const directory = relative.replace(/\/+$/, "");
  const body = isRooted || directory.includes("/") ? directory : `**/${directory}`;
  return { body: `${body}/**`, anyDepth: false };
}

/** Runs for every file of a walk, so a typical path, which has none, costs only a few comparisons. */
function withoutOuterSlashes(path: string): string {
  let start = 0;
  let end = path.length;
  while (path.startsWith("/", start) || path.startsWith("./", start)) start += path[start] === "/" ? 1 : 2;
  while (end > start && path[end - 1] === "/") end--;
  return path.slice(start, end);
}

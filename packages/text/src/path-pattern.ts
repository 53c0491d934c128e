import { braceExpand, Minimatch, type MinimatchOptions } from "minimatch";

export interface PathPatternOptions {
  readonly ignoreCase?: boolean | undefined;
}

/**
 * Compiles glob patterns for paths with forward slashes, relative to some root; a path matches when any of
 * the patterns does, so an empty list matches nothing. Throws an Error that says what is wrong with a pattern.
 *
 * - `*.ts`: without a slash, the pattern is for the last name in the path, at any depth.
 * - `src/*.ts`: with a slash, it is for the whole path. `/` or `./` in front means the root: `/*.ts`.
 * - `src/**`: everything below `src`, and `src` itself, so that a walk can skip the directory at once.
 * - `build/`: the same for a directory of that name at any depth.
 *
 * `*` and `**` match names that start with a dot. `{a,b}`, `[a-z]`, `?` and `\` work as in a shell; `!` and
 * `#` in front, and `+(a|b)`, mean themselves.
 */
export function compilePathPattern(
  pattern: string | readonly string[],
  options: PathPatternOptions = {},
): (path: string) => boolean {
  const patterns = typeof pattern === "string" ? [pattern] : pattern;
  const matchers = patterns.flatMap((each) => compileOne(each, options.ignoreCase ?? false));
  return (path) => {
    const relative = withoutOuterSlashes(path);
    return matchers.some((matcher) => matcher.match(relative));
  };
}

const maxLength = 1024;
const maxAlternatives = 1000;
const maxGlobstars = 8;

function compileOne(pattern: string, ignoreCase: boolean): Minimatch[] {
  checkBounds(pattern);
  const { body, anyDepth } = anchor(pattern);
  const options: MinimatchOptions = { ...safe, nocase: ignoreCase };
  const matcher = new Minimatch(body, { ...options, matchBase: anyDepth });
  return body.endsWith("/**") ? [matcher, new Minimatch(body.slice(0, -3), options)] : [matcher];
}

const safe: MinimatchOptions = {
  dot: true,
  noext: true,
  nocomment: true,
  nonegate: true,
  // The same meaning on every system: a backslash escapes, it never separates.
  platform: "linux",
  braceExpandMax: maxAlternatives + 1,
};

function checkBounds(pattern: string): void {
  if (pattern.length > maxLength) {
    throw new Error(`The pattern is ${pattern.length} characters long; at most ${maxLength} are allowed`);
  }
  if (/^[./]*$/.test(pattern)) throw new Error(`The pattern "${pattern}" names nothing`);
  const alternatives = braceExpand(pattern, safe);
  if (alternatives.length > maxAlternatives) {
    throw new Error(`The braces in "${pattern}" stand for more than ${maxAlternatives} alternatives`);
  }
  if (alternatives.some((each) => each.split("**").length - 1 > maxGlobstars)) {
    throw new Error(`The pattern "${pattern}" has more than ${maxGlobstars} "**"`);
  }
}

function anchor(pattern: string): { body: string; anyDepth: boolean } {
  const relative = pattern.replace(/^(?:\.?\/)+/, "");
  const isRooted = relative !== pattern;
  if (!relative.endsWith("/")) return { body: relative, anyDepth: !isRooted };
  const directory = relative.replace(/\/+$/, "");
  const body = isRooted || directory.includes("/") ? directory : `**/${directory}`;
  return { body: `${body}/**`, anyDepth: false };
}

/** Called for every file of a walk, so the usual path, which has none, costs a few comparisons. */
function withoutOuterSlashes(path: string): string {
  let start = 0;
  let end = path.length;
  while (path.startsWith("/", start) || path.startsWith("./", start)) start += path[start] === "/" ? 1 : 2;
  while (end > start && path[end - 1] === "/") end--;
  return path.slice(start, end);
}

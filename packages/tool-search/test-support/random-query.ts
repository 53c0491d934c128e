// Random calls of grep and glob, with the flags that make ripgrep do the same.
import { type OddPattern, oddPattern } from "./odd-pattern.js";
import { anchoredPattern, GLOBS, NAMES, pick, type Random } from "./random-tree.js";

export interface GrepQuery {
  readonly args: {
    readonly pattern: string;
    readonly multiline?: boolean;
    readonly path?: string;
  } & Readonly<Record<string, unknown>>;
  readonly flags: readonly string[];
  /** Set if JavaScript can judge the pattern as well. */
  readonly odd?: OddPattern;
}

type Options = [args: Record<string, unknown>, flags: string[]];

export function randomGrep(random: Random, folders: readonly string[]): GrepQuery {
  if (random(8) === 0) return randomOdd(random);
  const literal = random(8) === 0;
  const pattern = literal ? pick(random, LITERALS) : anchoredPattern(random);
  // Across lines ripgrep matches the rest of a text without its preceding context, and so misjudges assertions.
  const multiline = random(10) === 0 && !/\\b|\^/i.test(pattern);
  const [args, flags]: Options = [{ literal, multiline }, []];
  if (literal) flags.push("-F");
  if (multiline) flags.push("-U");
  for (const add of [addCase, addWalk, addGlobs, addContext]) add(random, [args, flags]);
  const path = random(5) === 0 && folders.length > 0 ? pick(random, folders) : undefined;
  // R17: naming a hidden folder includes its hidden content.
  if (path?.includes(".hid")) flags.push("--hidden");
  if (path === undefined) return { args: { ...args, pattern }, flags };
  return {
    args: { ...args, pattern, path },
    flags: flags.flatMap((flag, index) => resolveGlob(path, flag, flags[index - 1])),
  };
}

/** A glob with folders in it counts from `path` too; for ripgrep it counts from the working directory, the root. */
function resolveGlob(path: string, flag: string, before: string | undefined): string[] {
  if (before !== "-g" || !/\/./.test(flag)) return [flag];
  const [, not, glob] = /^(!?)\/?(.*)$/.exec(flag) as unknown as [string, string, string];
  return [flag, "-g", `${not}/${path}${glob}`];
}

const LITERALS = ["foo", "a", ".", "(", "foo ba", "\\", "É", "[", "x y"];

function randomOdd(random: Random): GrepQuery {
  const odd = oddPattern(random);
  const multiline = random(4) === 0;
  const [args, flags]: Options = [{ multiline }, multiline ? ["-U"] : []];
  addCase(random, [args, flags]);
  return { args: { ...args, pattern: odd.pattern, context: 0 }, flags, odd };
}

function addCase(random: Random, [args, flags]: Options): void {
  const isSensitive = random(3) > 0;
  args.case_sensitive = isSensitive;
  flags.push(isSensitive ? "-s" : "-i");
}

function addWalk(random: Random, [args, flags]: Options): void {
  if (random(3) === 0) {
    args.include_hidden = true;
    flags.push("--hidden");
  }
  if (random(5) === 0) {
    args.include_ignored = true;
    flags.push("--no-ignore");
  }
  if (random(8) === 0) {
    args.max_depth = 1 + random(3);
    flags.push("--max-depth", String(args.max_depth));
  }
}

function addGlobs(random: Random, [args, flags]: Options): void {
  if (random(5) === 0) {
    const globs = [pick(random, GLOBS), ...(random(3) === 0 ? [pick(random, GLOBS)] : [])];
    args.glob = globs;
    flags.push(...globs.flatMap((glob) => ["-g", glob]));
  }
  if (random(8) === 0) {
    const exclude = pick(random, EXCLUDES);
    args.exclude = [exclude];
    flags.push("-g", `!${exclude}`);
  }
}

const EXCLUDES = ["src", "*.ts", "lib/", "**/a*", "deep/**", "/b", "x y", "é*"];

function addContext(random: Random, [args, flags]: Options): void {
  const before = random(4) === 0 ? random(3) : 0;
  const after = random(4) === 0 ? random(3) : 0;
  Object.assign(args, { before, after });
  flags.push("-B", String(before), "-A", String(after));
}

export interface GlobQuery {
  readonly args: { readonly pattern: string; readonly include_hidden?: boolean } & Readonly<
    Record<string, unknown>
  >;
  readonly flags: readonly string[];
}

export function randomGlob(random: Random): GlobQuery {
  const [args, flags]: Options = [{}, []];
  addWalk(random, [args, flags]);
  return { args: { ...args, pattern: randomGlobPattern(random) }, flags };
}

const GLOB_PARTS = [
  "*",
  "**",
  "?",
  "[ab]*",
  "[!a]*",
  "*.ts",
  "*.{ts,js}",
  "{a,b,src}",
  "f*",
  "b?r*",
  "*o*",
  "é*",
];

function randomGlobPattern(random: Random): string {
  if (random(6) === 0) return "**/*";
  return Array.from({ length: 1 + random(3) }, () =>
    random(3) === 0 ? pick(random, NAMES.filter(isVisible)) : pick(random, GLOB_PARTS),
  ).join("/");
}

// Naming a dot or a build folder includes it; ripgrep needs a flag for that.
function isVisible(name: string): boolean {
  return !name.startsWith(".") && name !== "build";
}

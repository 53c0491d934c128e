import { ToolError } from "@haft/core";
import { joinPath, normalizePath } from "@haft/core/workspace";
import { expandBraces, globMatcher, type PathMatcher, PatternError } from "@haft/text/path-rules";
import { namesHidden } from "../names-hidden.js";
import { escapeGlob } from "../resolve-glob.js";
import type { ReadableWorkspace } from "../workspace-search/workspace-source.js";
import type { GlobArgs } from "./glob-schema.js";

/** One part of a tree to walk, and the matches wanted from it. All paths are relative to the workspace. */
export interface GlobBranch {
  readonly folder: string;
  readonly isWanted: PathMatcher;
}

export interface GlobPlan {
  readonly branches: readonly GlobBranch[];
  readonly isRefused: PathMatcher;
  /** Whether a pattern names a file or folder that starts with a dot. */
  readonly namesHidden: boolean;
}

interface PlanContext {
  readonly patterns: readonly string[];
  readonly args: GlobArgs;
  /** The base of the patterns: "" or a folder. */
  readonly base: string;
  readonly workspace: ReadableWorkspace;
}

/** Converts patterns as models write them to folders to walk and matchers. Throws PatternError. */
export async function planGlob(setting: PlanContext): Promise<GlobPlan> {
  const { patterns, args } = setting;
  const wanted = patterns.filter((pattern) => !isNegation(pattern));
  const refused = patterns.filter(isNegation).map((pattern) => pattern.slice(1));
  const options = { ignoreCase: !args.case_sensitive, dot: args.include_hidden };
  const plain: string[] = [];
  for (const pattern of wanted.length === 0 ? ["**/*"] : wanted)
    plain.push(...(await readPattern(pattern, setting)));
  const branches = [];
  for (const pattern of plain)
    branches.push({ folder: await startOf(pattern, setting), isWanted: globMatcher(pattern, options) });
  const refusals = refused
    .flatMap((pattern) => refusalsOf(pattern, setting))
    .map((each) => globMatcher(each, { ...options, dot: true }));
  return {
    branches: mergeBranches(branches),
    isRefused: (path) => refusals.some((matches) => matches(path)),
    namesHidden: plain.some(namesHidden),
  };
}

/** `!(a|b)` is an extended pattern, not a negation. */
function isNegation(pattern: string): boolean {
  return pattern.startsWith("!") && pattern.length > 1 && !pattern.startsWith("!(");
}

/** Returns a pattern relative to the workspace; more than one if it is ambiguous. */
async function readPattern(given: string, { base, workspace }: PlanContext): Promise<readonly string[]> {
  const pattern = insideWorkspace(given === "" ? refuseEmpty() : given, workspace);
  const isAbsolute = pattern !== given;
  const literal = normalizePath(isAbsolute ? pattern : joinPath(base, pattern));
  const standing = literal === undefined ? undefined : await typeAt(literal, workspace);
  if (literal !== undefined && standing === "file") return [escapeGlob(literal)];
  if (literal !== undefined && standing === "directory") return [joinPath(escapeGlob(literal), "**/*")];
  globMatcher(given); // Throws for an invalid pattern, in terms of the given one.
  const trimmed = pattern.replace(/^(\.?\/)+/, "").replace(/\/$/, "/**/*");
  const meant = await alsoLiterally(trimmed, isAbsolute ? "" : base, workspace);
  if (isAbsolute || base === "") return meant;
  const fromBase = meant.map((each) => joinPath(escapeGlob(base), each));
  return trimmed === base || trimmed.startsWith(`${base}/`) ? [...fromBase, trimmed] : fromBase;
}

/** `app/[id]/*.ts` also means the folder with exactly that name, if it exists. */
async function alsoLiterally(
  pattern: string,
  base: string,
  workspace: ReadableWorkspace,
): Promise<readonly string[]> {
  const segments = pattern.split("/");
  for (let count = segments.length - 1; count > 0; count--) {
    const folder = segments.slice(0, count).join("/");
    if (!folder.includes("[") || /[*?{\\]/.test(folder)) continue;
    if ((await typeAt(joinPath(base, folder), workspace)) !== "directory") continue;
    return [pattern, joinPath(escapeGlob(folder), segments.slice(count).join("/"))];
  }
  return [pattern];
}

/** An empty pattern would name the folder itself. */
function refuseEmpty(): never {
  throw new PatternError("empty glob", 0, "write **/* for everything");
}

/** Returns exclusions: a bare folder name excludes it at any depth. */
function refusalsOf(pattern: string, { base, workspace }: PlanContext): readonly string[] {
  globMatcher(pattern);
  const inside = insideWorkspace(pattern, workspace)
    .replace(/^(\.?\/)+/, "")
    .replace(/\/$/, "");
  const folder = escapeGlob(base);
  const anchored = [inside, joinPath(folder, inside)];
  const all = inside.includes("/") ? anchored : [...anchored, `**/${inside}`];
  return all.flatMap((each) => [each, `${each}/**`]);
}

function insideWorkspace(pattern: string, workspace: ReadableWorkspace): string {
  if (pattern.split("/").includes("..")) {
    throw new ToolError("INVALID_PATH", `A pattern must not hold "..": ${pattern}`, {
      hint: "Set path to the folder to look in, and write the pattern from there.",
    });
  }
  if (!pattern.startsWith("/")) return pattern;
  const root = workspace.absolute("").replace(/\/+$/, "");
  if (pattern === root) return "**/*";
  if (pattern.startsWith(`${root}/`)) return pattern.slice(root.length + 1);
  throw new ToolError("INVALID_PATH", `The pattern leaves the workspace: ${pattern}`, {
    hint: `The workspace is ${root}; write the pattern from there, such as **/*.ts.`,
  });
}

/**
 * Returns the folder that contains every match of a pattern. The walk starts there, so that an ignored folder can be
 * named.
 */
async function startOf(pattern: string, { args, base, workspace }: PlanContext): Promise<string> {
  if (!args.case_sensitive) return base;
  const segments = commonStart(expandBraces(pattern).map((plain) => plain.split("/").slice(0, -1)));
  for (let count = segments.length; count > 0; count--) {
    const folder = segments.slice(0, count).join("/");
    if (folder.length <= base.length) break;
    if ((await typeAt(folder, workspace)) === "directory") return folder;
  }
  return base;
}

function commonStart(paths: readonly (readonly string[])[]): readonly string[] {
  const [first = [], ...rest] = paths;
  const common: string[] = [];
  for (const [index, segment] of first.entries()) {
    if (/(?<!\\)(?:[*?[]|[@+!]\()/.test(segment) || rest.some((path) => path[index] !== segment)) break;
    common.push(segment.replace(/\\(.)/g, "$1"));
  }
  return common;
}

/** Returns undefined for a path that is missing, hidden or reached by a link. */
async function typeAt(path: string, workspace: ReadableWorkspace): Promise<string | undefined> {
  const found = await workspace.stat(path === "" ? "." : path).catch(() => undefined);
  return found?.path === path ? found.type : undefined;
}

function mergeBranches(branches: readonly GlobBranch[]): readonly GlobBranch[] {
  const byFolder = new Map<string, PathMatcher[]>();
  for (const { folder, isWanted } of branches)
    byFolder.set(folder, [...(byFolder.get(folder) ?? []), isWanted]);
  return [...byFolder].map(([folder, matchers]) => ({
    folder,
    isWanted: (path) => matchers.some((matches) => matches(path)),
  }));
}

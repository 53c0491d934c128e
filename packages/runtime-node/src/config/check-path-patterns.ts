import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import type { PolicyRule } from "@haft/core";
import { compilePathSelection } from "@haft/text";
import { isBelow } from "../fs/is-below.js";
import { ConfigError } from "./config-error.js";
import type { PathsConfig } from "./haft-config.js";

/** Throws CONFIG_INVALID for a pattern that cannot be read: it would silently leave a file open. */
export function checkPathPatterns(
  { sensitive = [], protected: asked = [] }: PathsConfig,
  folder: string,
): void {
  for (const [key, patterns] of Object.entries({ "paths.sensitive": sensitive, "paths.protected": asked })) {
    let size = 0;
    for (const pattern of patterns) {
      size += check(pattern, key, folder);
      if (size > MAX_PATTERNS)
        throw new ConfigError("CONFIG_INVALID", `${key} expands to more than ${MAX_PATTERNS} patterns`);
    }
  }
}

/** Each path is compared with all of them, and a configuration that nobody trusts can have such lists too. */
const MAX_PATTERNS = 20_000;

/** Throws TypeError for a rule whose pattern is the absolute path of a file: patterns start at the workspace. */
export function assertRelativePatterns(rules: readonly PolicyRule[], folder: string): void {
  for (const [index, { when = {} }] of rules.entries())
    for (const pattern of patternsIn(when.path)) {
      const problem = absoluteIn(pattern, folder);
      if (problem !== undefined) throw new TypeError(`rule ${index + 1}: ${problem}`);
    }
}

/** Returns what the pattern stands for, with braces written out. */
function check(pattern: string, key: string, folder: string): number {
  const fail = (problem: string): never => {
    throw new ConfigError("CONFIG_INVALID", `${key}: ${problem}`);
  };
  if (pattern.startsWith("!"))
    fail(`${JSON.stringify(pattern)} starts with "!"; this list has no exceptions`);
  const problem = absoluteIn(pattern, folder);
  if (problem !== undefined) fail(problem);
  try {
    return compilePathSelection({ only: [pattern] }, true).size;
  } catch (cause) {
    return fail((cause as Error).message);
  }
}

function absoluteIn(pattern: string, folder: string): string | undefined {
  // In the workspace /app, the pattern /app/** may well mean its folder app.
  const isHere = isAbsolute(pattern) && isBelow(folder, pattern) && !existsSync(join(folder, folder));
  if (!isHere && !/^[a-z]:[\\/]/i.test(pattern)) return undefined;
  const relative = isHere ? `; write ${JSON.stringify(pattern.slice(folder.length) || "**")}` : "";
  return `the pattern ${JSON.stringify(pattern)} is absolute, but patterns start at the workspace${relative}`;
}

function patternsIn(path: NonNullable<PolicyRule["when"]>["path"]): readonly string[] {
  if (path === undefined) return [];
  if (typeof path === "string") return [path];
  if (isList(path)) return path;
  return [...patternsIn(path.only), ...patternsIn(path.not)];
}

function isList(path: object): path is readonly string[] {
  return Array.isArray(path);
}

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
  for (const [key, patterns] of Object.entries({ "paths.sensitive": sensitive, "paths.protected": asked }))
    for (const pattern of patterns) check(pattern, key, folder);
}

/** Throws TypeError for a rule whose pattern is the absolute path of a file: patterns start at the workspace. */
export function assertRelativePatterns(rules: readonly PolicyRule[], folder: string): void {
  for (const [index, { when = {} }] of rules.entries())
    for (const pattern of patternsIn(when.path)) {
      const problem = absoluteIn(pattern, folder);
      if (problem !== undefined) throw new TypeError(`rule ${index + 1}: ${problem}`);
    }
}

function check(pattern: string, key: string, folder: string): void {
  const fail = (problem: string) => {
    throw new ConfigError("CONFIG_INVALID", `${key}: ${problem}`);
  };
  if (pattern.startsWith("!"))
    fail(`${JSON.stringify(pattern)} starts with "!"; this list has no exceptions`);
  const problem = absoluteIn(pattern, folder);
  if (problem !== undefined) fail(problem);
  try {
    compilePathSelection({ only: [pattern] }, true);
  } catch (cause) {
    fail((cause as Error).message);
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

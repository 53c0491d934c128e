import { baseName } from "@haft/core";

/** Folders that packages and builds fill: nobody means them unless they are named. */
const DEFAULT_EXCLUDES: ReadonlySet<string> = new Set([
  ".git",
  ".hg",
  ".svn",
  ".venv",
  "__pycache__",
  "bower_components",
  "build",
  "coverage",
  "dist",
  "node_modules",
  "target",
]);

export function isExcludedFolder(folder: string): boolean {
  return DEFAULT_EXCLUDES.has(baseName(folder));
}

/** The first excluded folder above a path, looking only below `from`; undefined when there is none. */
export function excludedFolderAbove(path: string, from: string): string | undefined {
  const segments = path.split("/");
  const start = from === "" ? 0 : from.split("/").length;
  for (let count = start + 1; count < segments.length; count++) {
    const folder = segments.slice(0, count).join("/");
    if (isExcludedFolder(folder)) return folder;
  }
  return undefined;
}

/** The same for an engine that takes globs. */
export function excludedGlobs(): readonly string[] {
  return [...DEFAULT_EXCLUDES].map((name) => `${name}/`);
}

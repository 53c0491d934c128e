import { baseName } from "@haft/core/workspace";

/** Folders filled by package managers and builds, searched only if named explicitly. */
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

/**
 * Returns the first excluded folder above a path, considering only folders below `from`; undefined if there is none.
 */
export function excludedFolderAbove(path: string, from: string): string | undefined {
  const segments = path.split("/");
  const start = from === "" ? 0 : from.split("/").length;
  for (let count = start + 1; count < segments.length; count++) {
    const folder = segments.slice(0, count).join("/");
    if (isExcludedFolder(folder)) return folder;
  }
  return undefined;
}

/** Returns the same folders as globs. */
export function excludedGlobs(): readonly string[] {
  return [...DEFAULT_EXCLUDES].map((name) => `${name}/`);
}

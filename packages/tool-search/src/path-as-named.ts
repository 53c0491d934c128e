import { normalizePath } from "@haft/core/workspace";
import type { ReadableWorkspace } from "./workspace-search/workspace-source.js";

/**
 * Spells a found path below the given name: a search that starts at a link happens at its target, but reports
 * `linkdir/a.ts`, not `src/a.ts`, like ripgrep.
 */
export function pathAsNamed(
  given: string,
  target: string,
  workspace: ReadableWorkspace,
): (path: string) => string {
  const root = `${workspace.absolute("").replace(/\/+$/, "")}/`;
  const relative = given.startsWith(root) ? given.slice(root.length) : given;
  const named = relative.startsWith("/") ? undefined : normalizePath(relative);
  if (named === undefined || named === target) return (path) => path;
  return (path) => (target === "" ? `${named}/${path}` : named + path.slice(target.length));
}

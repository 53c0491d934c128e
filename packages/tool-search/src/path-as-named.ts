import { normalizePath } from "@haft/core";
import type { ReadableWorkspace } from "./workspace-search/workspace-source.js";

/**
 * A search that starts at a link happens at the link's target; what it finds is told with the name that was given, as
 * ripgrep has it: `linkdir/a.ts`, not `src/a.ts`.
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

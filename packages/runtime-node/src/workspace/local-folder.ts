import type { LocalFolder } from "@haft/core/workspace";
import type { PathSelection } from "@haft/text";
import { closedPaths } from "./closed-paths.js";
import type { PathGuard } from "./path-guard.js";

/** Describes the folder for engines that read the disk themselves, on any thread. */
export function localFolder(
  root: string,
  guard: PathGuard,
  closed: readonly PathSelection[] = [],
): LocalFolder {
  const isClosed = closedPaths(closed);
  return Object.freeze({
    root,
    mayOpen: (path: string) => guard.mayOpen(path) && !isClosed(path),
    without: (further: readonly PathSelection[]) => localFolder(root, guard, [...closed, ...further]),
    get guardModule() {
      const url = new URL("./thread-guard.js", import.meta.url).href;
      return { url, exportName: "makeThreadGuard", data: { ...guard.rules, closed } };
    },
  });
}

import { type FileChange, pathsOf } from "./file-change.js";
import { joinPath } from "./path-text.js";

/** Returns every path a change touches, including those below a folder that is moved or deleted. */
export function touchedBy(change: FileChange): readonly string[] {
  const paths = pathsOf(change);
  const entries = change.kind === "move" || change.kind === "delete" ? change.before.entries : undefined;
  if (entries === undefined || entries.length === 0) return paths;
  return [...paths, ...paths.flatMap((path) => entries.map((entry) => joinPath(path, entry)))];
}

import { compilePathSelection, type PathSelection } from "@haft/text";

/** Returns whether rules close a path. Folders on the way to open paths are not closed. */
export function closedPaths(selections: readonly PathSelection[]): (path: string) => boolean {
  if (selections.length === 0) return () => false;
  const compiled = selections.map((selection) => compilePathSelection(selection, true));
  return (path) =>
    compiled.some(({ selects, openFolders }) => selects(path) && openFolders?.has(path) !== true);
}

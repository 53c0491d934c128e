/** Returns the changed paths, without the folders that hold others: creating them is no change of its own. */
export function changedPaths(paths: ReadonlySet<string>): readonly string[] {
  const holders = new Set<string>();
  for (const path of paths)
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1))
      holders.add(path.slice(0, at));
  return [...paths].filter((path) => !holders.has(path));
}

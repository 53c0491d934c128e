/**
 * Returns the folder that a `.git` file points to, as in a linked worktree or a submodule; undefined for any other
 * text. The path may be relative to the folder of the file.
 */
export function linkedGitFolder(text: string | undefined): string | undefined {
  return /^gitdir: ([^\0\n]+?)\r?\n?$/.exec(text ?? "")?.[1];
}

/** Joins a path to a folder unless it is absolute. Keeps `..`, which only the file system resolves correctly. */
export function placeBehind(folder: string, path: string): string {
  return path.startsWith("/") ? path : `${folder.replace(/\/$/, "")}/${path}`;
}

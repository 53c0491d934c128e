/** Returns both meanings of a glob with folders: relative to the workspace, and to `path`. */
export function resolveGlob(folder: string, glob: string): readonly string[] {
  const isNegated = glob.startsWith("!");
  const plain = isNegated ? glob.slice(1) : glob;
  const path = plain.replace(/^\.?\//, "");
  const isAnchored = path.slice(0, -1).includes("/") || path !== plain;
  if (folder === "" || !isAnchored || path.startsWith("**/")) return [glob];
  return [glob, `${isNegated ? "!" : ""}/${escapeGlob(folder)}/${path}`];
}

/** Escapes a path, so that a glob matches it literally. */
export function escapeGlob(path: string): string {
  return path.replace(/[\\*?[\]{}!#]/g, "\\$&");
}

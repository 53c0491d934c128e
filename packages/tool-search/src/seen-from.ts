/** A glob with folders in it may be meant from the workspace or from `path`; both are taken. */
export function seenFrom(folder: string, glob: string): readonly string[] {
  const isNegated = glob.startsWith("!");
  const plain = isNegated ? glob.slice(1) : glob;
  const path = plain.replace(/^\.?\//, "");
  const isAnchored = path.slice(0, -1).includes("/") || path !== plain;
  if (folder === "" || !isAnchored || path.startsWith("**/")) return [glob];
  return [glob, `${isNegated ? "!" : ""}/${escapeGlob(folder)}/${path}`];
}

function escapeGlob(path: string): string {
  return path.replace(/[\\*?[\]{}!#]/g, "\\$&");
}

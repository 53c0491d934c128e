import { isAbsolute, relative, sep } from "node:path";

/** Returns whether a path is a folder or lies in it, by text. */
export function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

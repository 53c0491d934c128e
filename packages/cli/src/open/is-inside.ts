import { realpathSync } from "node:fs";
import { isAbsolute, relative } from "node:path";

/** Returns whether an existing file is in a folder or is the folder itself, with links followed. */
export function isInside(file: string, folder: string): boolean {
  const path = relative(realpathSync(folder), realpathSync(file));
  return !isAbsolute(path) && path.split(/[\\/]/)[0] !== "..";
}

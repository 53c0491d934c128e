import { relative } from "node:path";
import { isBelow } from "../fs/is-below.js";

/** Returns whether a folder is a home, contains the user's home, or holds settings and credentials in one. */
export function isPersonalFolder(path: string, home: string | undefined): boolean {
  if (home !== undefined && isBelow(path, home)) return true;
  const homes = [home, ANY_HOME.exec(path)?.[0]];
  return homes.some(
    (each) => each !== undefined && isBelow(each, path) && PERSONAL.has(relative(each, path)),
  );
}

const ANY_HOME = /^\/(?:root|home(?:\/[^/]+)?)(?=\/|$)/;
const PERSONAL: ReadonlySet<string> = new Set([
  ...["", ".local", ".local/share", ".config", ".cache", ".ssh"],
  ...[".gem", ".local/share/uv", ".cargo", ".m2", ".gradle"],
]);

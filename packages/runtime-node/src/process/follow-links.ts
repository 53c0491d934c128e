import { lstatSync, readlinkSync } from "node:fs";

/** Resolves links as the system does, name by name: `..` after a link leaves the link's target. */
export function followLinks(path: string): string | undefined {
  let waiting = path.split("/").reverse();
  let real = "";
  for (let links = 0; waiting.length > 0; ) {
    const name = waiting.pop() as string;
    if (name === "" || name === ".") continue;
    if (name === "..") {
      real = real.slice(0, Math.max(0, real.lastIndexOf("/")));
      continue;
    }
    const target = linkTarget(`${real}/${name}`);
    if (target === undefined) {
      real = `${real}/${name}`;
      continue;
    }
    links += 1;
    if (links > MAX_LINKS) return undefined;
    if (target.startsWith("/")) real = "";
    waiting = [...waiting, ...target.split("/").reverse()];
  }
  return real === "" ? "/" : real;
}

function linkTarget(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch {
    // A missing path leads nowhere.
    return undefined;
  }
}

const MAX_LINKS = 40;

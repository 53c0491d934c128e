import { randomUUID } from "node:crypto";
import { chmodSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../journal/make-folder.js";

/** A private folder for one run. What processes that are gone left beside it is taken away. */
export function makeRunFolder(parent: string): string {
  makeFolder(parent);
  for (const name of readdirSync(parent)) if (isAbandoned(name)) removeRunFolder(join(parent, name));
  const folder = join(parent, `${process.pid}-${randomUUID()}`);
  mkdirSync(folder, { mode: 0o700 });
  return folder;
}

/** Best effort: what stays is taken away by a later run. */
export function removeRunFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    removeLocked(folder);
  }
}

/** A layer keeps a folder that nobody may open, and code can make such folders. */
function removeLocked(folder: string): void {
  try {
    unlock(folder);
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // It holds nothing that anybody needs.
  }
}

function unlock(folder: string): void {
  chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) unlock(join(folder, entry.name));
}

function isAbandoned(name: string): boolean {
  const pid = /^(\d+)-[0-9a-f-]{36}$/.exec(name)?.[1];
  if (pid === undefined) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

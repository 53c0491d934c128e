import type { BigIntStats } from "node:fs";
import { joinPath } from "@haft/core";
import type { HeldDirectory } from "./held-directory.js";
import type { PathGuard } from "./path-guard.js";

/**
 * A hard link gives a sensitive file a harmless name. The files behind sensitive names that were
 * seen are remembered, so that another name for one of them does not open it. A link whose
 * sensitive name was never seen stays readable: a known limit.
 */
export class SecretInodes {
  readonly #guard: PathGuard;
  readonly #seen = new Set<string>();

  constructor(guard: PathGuard) {
    this.#guard = guard;
  }

  /** Takes note of a file met in a listing. */
  note(path: string, stats: BigIntStats): void {
    if (stats.nlink < 2n || !stats.isFile() || !this.#guard.isSensitive(path)) return;
    if (this.#seen.size < MAX_REMEMBERED) this.#seen.add(inodeKey(stats));
  }

  /** Whether a file has a sensitive name too: one seen before, one beside it, or one in the root. */
  isSecret(stats: BigIntStats, near: readonly NamedDirectory[]): boolean {
    if (stats.nlink < 2n) return false;
    for (const directory of near) this.#noteSecrets(directory);
    return this.#seen.has(inodeKey(stats));
  }

  #noteSecrets({ path: parent, directory }: NamedDirectory): void {
    for (const name of directory.names()) {
      const path = joinPath(parent, name);
      if (!this.#guard.isSensitive(path)) continue;
      const stats = directory.lstat(name);
      if (stats !== undefined) this.note(path, stats);
    }
  }
}

interface NamedDirectory {
  readonly path: string;
  readonly directory: HeldDirectory;
}

const MAX_REMEMBERED = 10_000;

function inodeKey({ dev, ino }: BigIntStats): string {
  return `${dev}:${ino}`;
}

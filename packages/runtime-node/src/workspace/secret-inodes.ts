import type { BigIntStats } from "node:fs";
import { joinPath } from "@haft/core/workspace";
import { inodeKey } from "../fs/inode-key.js";
import type { HeldDirectory } from "./held-directory.js";
import type { PathGuard } from "./path-guard.js";

/**
 * Remembers the files behind sensitive names, since a hard link gives a sensitive file a harmless name: another name
 * for a known file does not open it. A link whose sensitive name was never seen stays readable, a known limit.
 */
export class SecretInodes {
  readonly #guard: PathGuard;
  readonly #seen = new Set<string>();

  constructor(guard: PathGuard) {
    this.#guard = guard;
  }

  /** Records a file found in a listing. */
  note(path: string, stats: BigIntStats): void {
    if (stats.nlink < 2n || !stats.isFile() || !this.#guard.isSensitive(path)) return;
    if (this.#seen.size < MAX_REMEMBERED) this.#seen.add(inodeKey(stats));
  }

  /** Returns whether a file also has a sensitive name: one seen before, one beside it, or one in the root. */
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

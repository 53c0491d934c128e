import { chmodSync, readdirSync, renameSync, rmdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type FileName, HeldDirectory } from "../workspace/held-directory.js";

/**
 * Removes a folder with its contents, whatever its depth, size and permissions, without blocking. Nothing else may
 * use it. Rejects if something cannot be removed.
 */
export async function removeTree(folder: string): Promise<void> {
  await new Removal(folder).run();
}

class Removal {
  readonly #folder: string;
  /** Deep folders, moved to the top so that no path and no chain of open folders gets too long. */
  readonly #lifted: string[] = [];
  #liftedCount = 0;
  #turnEndsAt = performance.now() + TURN_MS;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async run(): Promise<void> {
    await this.#removeAt(this.#folder, { keep: true });
    for (let next = this.#lifted.pop(); next !== undefined; next = this.#lifted.pop())
      await this.#removeAt(next, { keep: false });
    rmdirSync(this.#folder);
  }

  async #removeAt(path: string, { keep }: { readonly keep: boolean }): Promise<void> {
    chmodSync(path, OPEN);
    const held = HeldDirectory.open(path);
    try {
      await this.#empty(held, 0);
    } finally {
      held.close();
    }
    if (!keep) rmdirSync(path);
  }

  async #empty(held: HeldDirectory, depth: number): Promise<void> {
    for (const entry of readdirSync(held.self, { withFileTypes: true, encoding: "buffer" })) {
      await this.#letOthers();
      // Typed as a string regardless of the encoding.
      const name = entry.name as unknown as FileName;
      if (!entry.isDirectory()) unlinkSync(held.at(name));
      else if (depth < MAX_DEPTH) await this.#removeBelow(held, name, depth);
      else this.#lift(held, name);
    }
  }

  async #removeBelow(above: HeldDirectory, name: FileName, depth: number): Promise<void> {
    const path = above.at(name);
    chmodSync(path, OPEN);
    const held = above.openDirectory(name);
    try {
      await this.#empty(held, depth + 1);
    } finally {
      held.close();
    }
    rmdirSync(path);
  }

  #lift(above: HeldDirectory, name: FileName): void {
    this.#liftedCount += 1;
    const place = join(this.#folder, `.haft-lifted-${this.#liftedCount}`);
    chmodSync(above.at(name), OPEN);
    renameSync(above.at(name), place);
    this.#lifted.push(place);
  }

  async #letOthers(): Promise<void> {
    if (performance.now() < this.#turnEndsAt) return;
    await nextTurn();
    this.#turnEndsAt = performance.now() + TURN_MS;
  }
}

const OPEN = 0o700;
const MAX_DEPTH = 50;
const TURN_MS = 10;

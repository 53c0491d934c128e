import { randomUUID } from "node:crypto";
import { closeSync, constants, openSync, readdirSync, statSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../journal/make-folder.js";

/** The whole output of a command up to a cap, in a private file outside the workspace. */
export class OutputLog {
  readonly path: string;
  readonly #descriptor: number;
  #left = MAX_LOG_BYTES;

  constructor(directory: string) {
    makeFolder(directory);
    removeOld(directory);
    this.path = join(directory, `${randomUUID()}.log`);
    this.#descriptor = openSync(
      this.path,
      constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
      0o600,
    );
  }

  append(chunk: Buffer): void {
    const bytes = chunk.subarray(0, this.#left);
    this.#left -= bytes.length;
    for (let written = 0; written < bytes.length; ) {
      written += writeSync(this.#descriptor, bytes, written);
    }
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

const MAX_LOG_BYTES = 10 * 1024 * 1024;
const KEPT_MS = 7 * 24 * 60 * 60 * 1000;

function removeOld(directory: string): void {
  for (const name of readdirSync(directory)) {
    const file = join(directory, name);
    try {
      if (Date.now() - statSync(file).mtimeMs > KEPT_MS) unlinkSync(file);
    } catch {
      // Another runtime was faster.
    }
  }
}

import { randomUUID } from "node:crypto";
import { closeSync, constants, openSync, readdirSync, statSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Redact } from "@haft/core";
import { makeFolder } from "../journal/make-folder.js";
import { RedactedLines } from "./redacted-lines.js";

/**
 * Writes the output of a command, up to a cap, to a private file outside the workspace. Secrets are redacted, as
 * everywhere else.
 */
export class OutputLog {
  readonly path: string;
  readonly #descriptor: number;
  readonly #redact: Redact | undefined;
  readonly #streams = new Map<string, RedactedLines>();
  #left = MAX_LOG_BYTES;

  constructor(directory: string, redact?: Redact) {
    this.#redact = redact;
    makeFolder(directory);
    removeOld(directory);
    this.path = join(directory, `${randomUUID()}.log`);
    this.#descriptor = openSync(
      this.path,
      constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
      0o600,
    );
  }

  append(chunk: Buffer, stream: string): void {
    if (this.#left === 0) return;
    if (this.#redact === undefined) this.#write(chunk);
    else this.#write(this.#linesOf(stream, this.#redact).push(chunk));
  }

  /** Writes the incomplete last line of each stream as well. */
  close(): void {
    try {
      for (const lines of this.#streams.values()) this.#write(lines.rest());
    } finally {
      closeSync(this.#descriptor);
    }
  }

  #linesOf(stream: string, redact: Redact): RedactedLines {
    const lines = this.#streams.get(stream) ?? new RedactedLines(redact);
    this.#streams.set(stream, lines);
    return lines;
  }

  #write(chunk: Buffer): void {
    const bytes = chunk.subarray(0, this.#left);
    this.#left -= bytes.length;
    for (let written = 0; written < bytes.length; ) {
      written += writeSync(this.#descriptor, bytes, written);
    }
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
      // Another runtime created it first.
    }
  }
}

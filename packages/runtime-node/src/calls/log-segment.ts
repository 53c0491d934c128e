import { randomUUID } from "node:crypto";
import {
  closeSync,
  constants,
  fsyncSync,
  linkSync,
  openSync,
  readSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../journal/make-folder.js";
import { namesInState, openStateFile } from "../journal/state-file.js";
import { errnoOf } from "../workspace/system-error.js";

/**
 * One file of an operation log, open for appending and reading. A record is a line. It is written with a line break
 * before it as well, so that a torn record damages no other.
 */
export class LogSegment {
  readonly number: number;
  readonly #fd: number;
  #offset = 0;
  #rest: Buffer = Buffer.alloc(0);

  private constructor(number: number, fd: number) {
    this.number = number;
    this.#fd = fd;
  }

  /** Opens the newest segment, or creates the first. */
  static openNewest(directory: string): LogSegment {
    for (;;) {
      const number = numbersIn(directory).at(-1) ?? 1;
      if (number === 1) makeFolder(directory);
      try {
        // Later segments start with a snapshot, so they are never created here.
        const flags = number === 1 ? READ_AND_APPEND | constants.O_CREAT : READ_AND_APPEND;
        const fd = openStateFile(pathOf(directory, number), flags);
        if (numbersIn(directory).at(-1) === number) return new LogSegment(number, fd);
        closeSync(fd);
      } catch (thrown) {
        // Another process has started the next segment and deleted this one.
        if (errnoOf(thrown) !== "ENOENT") throw thrown;
      }
    }
  }

  /** Creates the next segment unless another process has, and deletes those no longer needed. */
  startNext(directory: string, firstRecord: string): void {
    const temporary = join(directory, `${randomUUID()}.tmp`);
    const fd = openSync(temporary, "wx", 0o600);
    try {
      writeAll(fd, Buffer.from(`${firstRecord}\n`));
      fsyncSync(fd);
      linkSync(temporary, pathOf(directory, this.number + 1));
    } catch (thrown) {
      if (errnoOf(thrown) !== "EEXIST") throw thrown;
    } finally {
      closeSync(fd);
      unlinkSync(temporary);
    }
    syncFolder(directory);
    for (const number of numbersIn(directory))
      if (number <= this.number) removeIfThere(pathOf(directory, number));
  }

  get fd(): number {
    return this.#fd;
  }

  /** The number of bytes read so far. */
  get size(): number {
    return this.#offset;
  }

  append(records: readonly string[]): void {
    writeAll(this.#fd, Buffer.from(records.map((record) => `\n${record}\n`).join("")));
  }

  /** Returns the complete lines added since the last call. */
  readLines(): readonly string[] {
    const parts = [this.#rest];
    for (;;) {
      const chunk = Buffer.alloc(CHUNK_BYTES);
      const count = readSync(this.#fd, chunk, 0, CHUNK_BYTES, this.#offset);
      if (count === 0) break;
      this.#offset += count;
      parts.push(chunk.subarray(0, count));
    }
    if (parts.length === 1) return [];
    const bytes = Buffer.concat(parts);
    const end = bytes.lastIndexOf(LINE_BREAK) + 1;
    this.#rest = bytes.subarray(end);
    return bytes.toString("utf8", 0, end).split("\n").filter(Boolean);
  }

  close(): void {
    closeSync(this.#fd);
  }
}

const CHUNK_BYTES = 64 * 1024;
const LINE_BREAK = 10;
const READ_AND_APPEND = constants.O_RDWR | constants.O_APPEND;
const IS_SEGMENT = /^calls-(\d{6})\.jsonl$/;

function pathOf(directory: string, number: number): string {
  return join(directory, `calls-${String(number).padStart(6, "0")}.jsonl`);
}

/** Returns the segment numbers, sorted. */
function numbersIn(directory: string): readonly number[] {
  return namesInState(directory)
    .flatMap((name) => IS_SEGMENT.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
}

function writeAll(fd: number, bytes: Buffer): void {
  const count = writeSync(fd, bytes);
  // Another process could append between the two parts of a record.
  if (count < bytes.length)
    throw Object.assign(new Error("the disk accepted only a part"), { code: "ENOSPC" });
}

function syncFolder(directory: string): void {
  const fd = openSync(directory, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function removeIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch (thrown) {
    if (errnoOf(thrown) !== "ENOENT") throw thrown;
  }
}

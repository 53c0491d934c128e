import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  readSync,
  renameSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import type { ChangeJournalStore, JournalPart, JournalPosition } from "@haft/core/stores";
import { isMissing } from "../workspace/system-error.js";
import { openStateFile } from "./state-file.js";

/** Stores lines of JSON in one file. Skips a last line that a crash tore. Reads only new lines. */
export class FileChangeJournalStore<Line = unknown> implements ChangeJournalStore<Line> {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  async read(after?: JournalPosition): Promise<JournalPart<Line>> {
    const descriptor = openOrNone(this.#path);
    if (descriptor === undefined) return { lines: [], position: "", isWhole: true };
    try {
      const { ino, size } = fstatSync(descriptor);
      const known = positionOf(after);
      const isWhole = known.inode !== ino || known.offset > size;
      const start = isWhole ? 0 : known.offset;
      const bytes = readFrom(descriptor, start, size);
      const end = bytes.lastIndexOf(NEWLINE) + 1;
      const lines = bytes.subarray(0, end).toString("utf8").split("\n").flatMap(parseLine) as Line[];
      return { lines, position: `${ino}:${start + end}`, isWhole };
    } finally {
      closeSync(descriptor);
    }
  }

  async append(line: Line, options: { readonly durable?: boolean } = {}): Promise<void> {
    const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT;
    const descriptor = openStateFile(this.#path, flags);
    try {
      const start = isTorn(descriptor) ? "\n" : "";
      const bytes = Buffer.from(`${start}${JSON.stringify(line)}\n`);
      for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
      if (options.durable === true) fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }

  async replace(lines: readonly Line[]): Promise<void> {
    const fresh = `${this.#path}.new`;
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
    const descriptor = openStateFile(fresh, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC);
    try {
      writeFileSync(descriptor, text, { flush: true });
    } finally {
      closeSync(descriptor);
    }
    renameSync(fresh, this.#path);
  }
}

const NEWLINE = 0x0a;

function positionOf(position = ""): { readonly inode: number; readonly offset: number } {
  const [inode = Number.NaN, offset = Number.NaN] = position.split(":").map(Number);
  return { inode, offset };
}

/** Returns true if a crash interrupted the last line. */
function isTorn(descriptor: number): boolean {
  const { size } = fstatSync(descriptor);
  return size > 0 && readFrom(descriptor, size - 1, size)[0] !== NEWLINE;
}

function parseLine(text: string): readonly unknown[] {
  if (text === "") return [];
  try {
    return [JSON.parse(text)];
  } catch {
    return [];
  }
}

function openOrNone(path: string): number | undefined {
  try {
    return openStateFile(path);
  } catch (thrown) {
    if (isMissing(thrown)) return undefined;
    throw thrown;
  }
}

function readFrom(descriptor: number, start: number, end: number): Buffer {
  const bytes = Buffer.alloc(end - start);
  let filled = 0;
  while (filled < bytes.length) {
    const count = readSync(descriptor, bytes, filled, bytes.length - filled, start + filled);
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}

import { closeSync, constants, fstatSync, fsyncSync, openSync, readSync, writeSync } from "node:fs";
import { isMissing } from "../workspace/system-error.js";
import type { BeginLine, ChangeRecord, JournalLine } from "./change-record.js";

/**
 * The append-only file of what was changed. Lines are only added under the workspace lock; a last
 * line that a crash tore is passed over. Reading it is cheap: only what is new is read.
 */
export class ChangeJournal {
  readonly #path: string;
  #known: Known = nothingKnown();

  constructor(path: string) {
    this.#path = path;
  }

  /** Newest last. */
  records(): readonly JournalRecord[] {
    return [...this.#known.records.values()];
  }

  find(callId: string): JournalRecord | undefined {
    return this.records().findLast((record) => record.callId === callId);
  }

  /** Whether a call's changes were applied, be they taken back since or not. */
  isCommitted(callId: string): boolean {
    return this.#known.committed.has(callId);
  }

  get nextSeq(): number {
    return this.#known.lastSeq + 1;
  }

  /** Reads what others have added, or everything again when the file was written anew. */
  refresh(): void {
    const descriptor = openOrNone(this.#path, constants.O_RDONLY);
    if (descriptor === undefined) {
      this.#known = nothingKnown();
      return;
    }
    try {
      const { ino, size } = fstatSync(descriptor);
      if (ino !== this.#known.inode || size < this.#known.offset)
        this.#known = { ...nothingKnown(), inode: ino };
      this.#take(readFrom(descriptor, this.#known.offset, size));
    } finally {
      closeSync(descriptor);
    }
  }

  /** Adds a line. Durable lines survive a power cut, the others a crash of the process. */
  append(line: JournalLine, options: { readonly durable?: boolean } = {}): void {
    const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;
    const descriptor = openSync(this.#path, flags, 0o600);
    try {
      const start = this.#known.isTorn ? "\n" : "";
      const bytes = Buffer.from(`${start}${JSON.stringify(line)}\n`);
      for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
      if (options.durable === true) fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    this.refresh();
  }

  #take(bytes: Buffer): void {
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    this.#known.isTorn = end < bytes.length;
    this.#known.offset += end;
    for (const text of bytes.subarray(0, end).toString("utf8").split("\n")) {
      const line = parseLine(text);
      if (line !== undefined) learn(this.#known, line);
    }
  }
}

/** A record with what only the journal itself needs. */
export interface JournalRecord extends ChangeRecord {
  readonly owner: Pick<BeginLine, "pid" | "startTime">;
  readonly storedBytes: number;
  /** How many changes of an unfinished record are surely on the disk. */
  readonly appliedCount: number;
}

interface Known {
  inode: number;
  offset: number;
  isTorn: boolean;
  lastSeq: number;
  readonly records: Map<number, JournalRecord>;
  readonly committed: Set<string>;
}

const NEWLINE = 0x0a;

function nothingKnown(): Known {
  return { inode: -1, offset: 0, isTorn: false, lastSeq: 0, records: new Map(), committed: new Set() };
}

function learn(known: Known, line: JournalLine): void {
  known.lastSeq = Math.max(known.lastSeq, line.seq);
  if (line.type === "begin") {
    known.records.set(line.seq, recordOf(line));
    return;
  }
  const record = known.records.get(line.seq);
  if (record === undefined) return;
  if (line.type === "done") known.committed.add(record.callId);
  known.records.set(line.seq, { ...record, ...changedBy(record, line) });
}

function recordOf({ type: _, pid, startTime, ...begun }: BeginLine): JournalRecord {
  return { ...begun, state: "unfinished", owner: { pid, startTime }, storedBytes: 0, appliedCount: 0 };
}

function changedBy(record: JournalRecord, line: Exclude<JournalLine, BeginLine>): Partial<JournalRecord> {
  if (line.type === "applied") return { appliedCount: line.index + 1 };
  if (line.type !== "done") return { state: line.type };
  const { storedBytes, hashes = {} } = line;
  const changes = record.changes.map((change, index) => {
    const afterHash = hashes[index];
    return afterHash === undefined ? change : { ...change, afterHash };
  });
  return { state: "done", storedBytes, changes };
}

function parseLine(text: string): JournalLine | undefined {
  if (text === "") return undefined;
  try {
    return JSON.parse(text) as JournalLine;
  } catch {
    return undefined;
  }
}

function openOrNone(path: string, flags: number): number | undefined {
  try {
    return openSync(path, flags);
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

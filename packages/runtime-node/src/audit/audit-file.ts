import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import { type AuditHead, type AuditRecord, parseAuditRecord } from "@haft/core/stores";
import { MAX_TEXT_BYTES, openStateLog, readStateFile, stateDamaged } from "../journal/state-file.js";
import { HeadFile } from "./head-file.js";

interface AuditContent {
  readonly records: readonly AuditRecord[];
  /** The ends of the log that were written beside it and at the anchor, if they can be read. */
  readonly ends: readonly AuditHead[];
  /** The first line, counted from 1, that is not a record. */
  readonly badLine: number | undefined;
}

/**
 * Reads and writes an audit log and the two records of its end: the head beside it, and the anchor in another folder.
 * `head` and `append` need the lock of the log.
 */
export class AuditFile {
  readonly #logPath: string;
  readonly #heads: readonly HeadFile[];
  /** The end of the chain as this process last saw it. */
  #known: { readonly inode: number; readonly size: number; readonly head: AuditHead } | undefined;

  constructor(directory: string, anchor: string) {
    this.#logPath = join(directory, "audit.jsonl");
    this.#heads = [new HeadFile(join(directory, "audit.head")), new HeadFile(anchor)];
  }

  /** The files that make up the log. */
  get paths(): readonly string[] {
    return [this.#logPath, ...this.#heads.map(({ path }) => path)];
  }

  /**
   * Returns where the next record continues: the newest end that the log, its heads or this process knows. If records
   * have lost both heads, or differ from the record in a head, it skips a number, so that the damage stays visible.
   */
  head(): AuditHead {
    return this.#withLog((log) => {
      const { ino, size } = fstatSync(log);
      if (this.#known?.inode === ino && this.#known.size === size) return this.#known.head;
      const whole = this.#cutTornLine(log, size);
      const ends = this.#ends();
      const [last] = recordsFromEnd(log, whole);
      const end = newest([last, ...ends, this.#known?.head]) ?? NO_RECORD;
      const isLost = ends.length === 0 && whole > 0 && end.seq === (last?.seq ?? 0);
      const isDamaged = isLost || ends.some((known) => isReplaced(known, recordsFromEnd(log, whole)));
      const head = isDamaged ? { seq: end.seq + 1, hash: HEAD_LOST } : end;
      // Written before the first record, so that records without a head are damage and never a crash.
      if (ends.length === 0) this.#writeHeads(head);
      this.#known = { inode: ino, size: whole, head };
      return head;
    });
  }

  append(record: AuditRecord, { durable }: { readonly durable: boolean }): void {
    this.#withLog((log) => {
      writeWhole(log, Buffer.from(`${JSON.stringify(record)}\n`));
      if (durable) fdatasyncSync(log);
      const { ino: inode, size } = fstatSync(log);
      this.#known = { inode, size, head: { seq: record.seq, hash: record.hash } };
    });
    this.#writeHeads(record);
  }

  read(): AuditContent {
    // Before the log: of a record that is appended meanwhile, the log must not lack what an end knows.
    const ends = this.#ends();
    const lines = (readStateFile(this.#logPath)?.toString("utf8") ?? "").split("\n");
    // The part after the last line break was torn by a crash, or is being written.
    const parsed = lines.slice(0, -1).map(parseAuditRecord);
    const bad = parsed.indexOf(undefined);
    return {
      records: parsed.filter((record) => record !== undefined),
      ends,
      badLine: bad === -1 ? undefined : bad + 1,
    };
  }

  #ends(): readonly AuditHead[] {
    return this.#heads.map((head) => head.read()).filter((head) => head !== undefined);
  }

  #writeHeads(head: AuditHead): void {
    for (const file of this.#heads) file.write(head);
  }

  /** Removes a record that a crash tore; it was never acknowledged. Returns the size of the rest. */
  #cutTornLine(log: number, size: number): number {
    const end = lastNewline(log, size) + 1;
    // Longer than any record, so it is something else, which is not ours to remove.
    if (size - end > MAX_TEXT_BYTES) throw stateDamaged(this.#logPath, "does not end with a record");
    if (end < size) ftruncateSync(log, end);
    return end;
  }

  #withLog<T>(work: (log: number) => T): T {
    const log = openStateLog(this.#logPath);
    try {
      return work(log);
    } finally {
      closeSync(log);
    }
  }
}

const NO_RECORD: AuditHead = { seq: 0, hash: "" };
const HEAD_LOST = "the head record was missing";
const CHUNK_BYTES = 8 * 1024;
const NEWLINE = 0x0a;

/** Returns whether the log has another record in place of one that a head names. Checks the newest record first. */
function isReplaced({ seq, hash }: AuditHead, records: Iterable<AuditRecord | undefined>): boolean {
  if (seq === 0) return false;
  let isLast = true;
  // A head is older than the log only after a crash, so more than the last record is rarely read.
  for (const record of records) {
    if (isLast && (record === undefined || seq > record.seq)) return false;
    if (record?.seq === seq) return record.hash !== hash;
    isLast = false;
  }
  return !isLast;
}

/**
 * Reads the log line by line from its end, because it may be too large to be read whole. Yields undefined for a line
 * that is not a record.
 */
function* recordsFromEnd(log: number, end: number): Generator<AuditRecord | undefined> {
  for (let stop = end; stop > 0; ) {
    const start = lastNewline(log, stop - 1) + 1;
    if (stop - start > MAX_TEXT_BYTES) return;
    const line = Buffer.alloc(stop - 1 - start);
    readSync(log, line, 0, line.length, start);
    yield parseAuditRecord(line.toString("utf8"));
    stop = start;
  }
}

/** Returns the offset of the last line break before `end`, or -1 if there is none within the maximum record length. */
function lastNewline(log: number, end: number): number {
  for (let stop = end; stop > 0 && end - stop <= MAX_TEXT_BYTES; stop -= CHUNK_BYTES) {
    const start = Math.max(0, stop - CHUNK_BYTES);
    const chunk = Buffer.alloc(stop - start);
    readSync(log, chunk, 0, chunk.length, start);
    const at = chunk.lastIndexOf(NEWLINE);
    if (at !== -1) return start + at;
  }
  return -1;
}

export function newest(ends: readonly (AuditHead | undefined)[]): AuditHead | undefined {
  const known = ends.filter((end) => end !== undefined);
  const last = known.sort((a, b) => a.seq - b.seq).at(-1);
  return last === undefined ? undefined : { seq: last.seq, hash: last.hash };
}

function writeWhole(file: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
}

import type { Stats } from "node:fs";
import { type GramBits, type GramQuery, mayMatch } from "../filter/gram-query.js";
import { deviceOfFiles, FILE_SETTLED_MS } from "./kept-times.js";

/** Plain data, so that it can cross to a worker: all threads of an engine share one index. */
export interface SharedFileIndex {
  readonly memory: SharedArrayBuffer;
  readonly device: number;
  readonly settledMs: number;
}

/** What a file was when it was read; dev is that of the index. */
export type FileStamp = Pick<Stats, "ino" | "size" | "ctimeMs" | "mtimeMs">;

/** Undefined where files do not keep their times: then each is read each time. */
export function shareFileIndex(root: string, settledMs = FILE_SETTLED_MS): SharedFileIndex | undefined {
  const device = deviceOfFiles(root);
  if (device === undefined) return undefined;
  // Pages that nobody writes to take no memory: a small tree has a small index.
  return { memory: new SharedArrayBuffer(MEMORY_BYTES), device, settledMs };
}

// The counters, a table from paths to records, and the records, which never change once the table leads to them.
const COUNTER = { top: 0, slots: 1, records: 2, found: 3, refused: 4, spoiltBytes: 5 } as const;
const TABLE = 16;
const SLOTS = 1 << 17;
const MAX_SLOTS = SLOTS * 0.75;
const MAX_PROBES = 64;
const FIRST_RECORD = TABLE * 4 + SLOTS * 8;
const MEMORY_BYTES = FIRST_RECORD + 36 * 1024 * 1024;

// Of a record: four doubles, the size of its filter and its own, the grams.
const STAMP_BYTES = 32;
const GRAMS_AT = 40;
const HIGH_BYTES = 16;

/**
 * For files that were searched: what each was and which grams it holds. Three threads write to it at once: a record
 * is written whole before the table leads to it, and memory is used again only while nobody searches.
 */
export class FileIndex {
  readonly device: number;
  readonly settledMs: number;
  private readonly words: Int32Array;
  private readonly doubles: Float64Array;
  private readonly bits: { bytes: Uint8Array; words: Int32Array; at: number; log: number };

  constructor({ memory, device, settledMs }: SharedFileIndex) {
    this.device = device;
    this.settledMs = settledMs;
    this.words = new Int32Array(memory);
    this.doubles = new Float64Array(memory);
    this.bits = { bytes: new Uint8Array(memory), words: this.words, at: 0, log: 0 };
  }

  /** The place of a path, its own from now on; -1 when there is no room for one more. */
  find(path: string): number {
    const hash = hashOf(path);
    for (let probe = 0; probe < MAX_PROBES; probe++) {
      const at = TABLE + ((hash + probe) & (SLOTS - 1)) * 2;
      const known = Atomics.load(this.words, at) || this.claim(at, hash);
      if (known === hash) return at;
      if (known === 0) return -1;
    }
    return -1;
  }

  /** Where the record of a found path is, or 0. */
  recordAt(place: number): number {
    const record = Atomics.load(this.words, place + 1);
    if (record !== 0) Atomics.add(this.words, COUNTER.found, 1);
    return record;
  }

  isBinary(record: number): boolean {
    return this.words[(record + STAMP_BYTES) / 4] === 0;
  }

  isUnchanged(record: number, stats: Stats): boolean {
    const at = record / 8;
    return (
      this.doubles[at] === stats.ino &&
      this.doubles[at + 1] === stats.ctimeMs &&
      this.doubles[at + 2] === stats.mtimeMs &&
      this.doubles[at + 3] === stats.size &&
      stats.dev === this.device
    );
  }

  mayMatch(record: number, query: GramQuery): boolean {
    const { bits } = this;
    bits.at = record + GRAMS_AT;
    bits.log = this.words[(record + STAMP_BYTES) / 4] as number;
    return mayMatch(query, bits);
  }

  /** Keeps what a file holds; without grams it is binary. */
  put(place: number, stamp: FileStamp, grams?: GramBits): void {
    const size = GRAMS_AT + (grams ? HIGH_BYTES + (1 << (grams.log - 3)) : 0);
    const record = this.reserve(size);
    if (record === 0) return;
    this.doubles.set([stamp.ino, stamp.ctimeMs, stamp.mtimeMs, stamp.size], record / 8);
    this.words[(record + STAMP_BYTES) / 4] = grams?.log ?? 0;
    this.words[(record + STAMP_BYTES) / 4 + 1] = size;
    if (grams)
      this.bits.bytes.set(grams.bytes.subarray(grams.at, grams.at + size - GRAMS_AT), record + GRAMS_AT);
    const before = Atomics.exchange(this.words, place + 1, record);
    if (before === 0) Atomics.add(this.words, COUNTER.records, 1);
    else Atomics.add(this.words, COUNTER.spoiltBytes, this.words[(before + STAMP_BYTES) / 4 + 1] as number);
  }

  /**
   * Starts over when there was no room and most of what is kept is of no use: replaced since, or not of the files that
   * were searched. A tree that is simply too large keeps what it has. Only while nobody searches.
   */
  tidy(): void {
    const count = (counter: number) => this.words[counter] as number;
    const isOfNoUse =
      count(COUNTER.found) * 2 < count(COUNTER.records) ||
      count(COUNTER.spoiltBytes) * 4 > count(COUNTER.top);
    if (count(COUNTER.refused) > 0 && isOfNoUse) this.words.fill(0, 0, FIRST_RECORD / 4);
    this.words[COUNTER.refused] = 0;
    this.words[COUNTER.found] = 0;
  }

  // The hash, unless another thread wrote its own in between; 0 when there is no room.
  private claim(at: number, hash: number): number {
    if (Atomics.load(this.words, COUNTER.slots) >= MAX_SLOTS) {
      Atomics.add(this.words, COUNTER.refused, 1);
      return 0;
    }
    const known = Atomics.compareExchange(this.words, at, 0, hash);
    if (known !== 0) return known;
    Atomics.add(this.words, COUNTER.slots, 1);
    return hash;
  }

  private reserve(size: number): number {
    const top = Atomics.add(this.words, COUNTER.top, size);
    const record = FIRST_RECORD + top;
    if (record + size <= this.bits.bytes.length) return record;
    Atomics.sub(this.words, COUNTER.top, size);
    Atomics.add(this.words, COUNTER.refused, 1);
    return 0;
  }
}

// FNV-1a; two paths with the same hash take turns, since the record of one is not that of the other's file.
function hashOf(path: string): number {
  let hash = -2_128_831_035;
  for (let index = 0; index < path.length; index++)
    hash = Math.imul(hash ^ path.charCodeAt(index), 16_777_619);
  return hash || 1;
}

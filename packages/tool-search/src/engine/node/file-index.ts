import type { Stats } from "node:fs";
import { type GramBits, type GramQuery, mayMatch } from "../filter/gram-query.js";
import { FileTable } from "./file-table.js";
import { type KeptBytes, KeptTexts } from "./kept-texts.js";
import { COUNTER, FIRST_RECORD, ROOM, recordRoomFor, type SharedFileIndex } from "./shared-file-index.js";

/** The known content of a file. */
export interface KnownContent {
  /** Undefined for a binary file, and if they were not requested. */
  readonly grams?: GramBits | undefined;
  readonly isBinary?: boolean;
  readonly text?: KeptBytes | undefined;
}

/** The state of a file when it was read; dev is that of the index. */
export type FileStamp = Pick<Stats, "ino" | "size" | "ctimeMs" | "mtimeMs">;

// Layout of a record: four doubles; words for the flags, the record's size, the start and length of its text and when
// it was last found unchanged, the only one that changes; the grams.
const STAMP_BYTES = 32;
const GRAMS_AT = 56;
const HIGH_BYTES = 16;
const WORD = { known: 0, size: 1, textAt: 2, textLength: 3, checked: 4 } as const;
// In place of the filter's size:
const IS_BINARY = 0;
const NO_GRAMS = -1;

/**
 * Stores the state and grams of files that were searched. Three threads write to it at once: a record is complete
 * before the table points to it, and memory is reused only while no search runs.
 */
export class FileIndex {
  readonly device: number;
  readonly settledMs: number;
  readonly texts: KeptTexts;
  private readonly words: Int32Array;
  private readonly doubles: Float64Array;
  private readonly bits: { bytes: Uint8Array; words: Int32Array; at: number; log: number };
  private readonly table: FileTable;

  constructor({ memory, device, settledMs }: SharedFileIndex) {
    this.device = device;
    this.settledMs = settledMs;
    this.texts = new KeptTexts(memory);
    this.words = new Int32Array(memory);
    this.table = new FileTable(this.words);
    this.doubles = new Float64Array(memory);
    this.bits = { bytes: new Uint8Array(memory), words: this.words, at: 0, log: 0 };
    // Another thread may have divided the room already.
    Atomics.compareExchange(this.words, COUNTER.recordRoom, 0, recordRoomFor(undefined));
  }

  /** Returns the slot of a path, allocating one if needed; -1 without room. */
  find(path: string): number {
    return this.table.find(path);
  }

  /** Returns the record of a slot, or 0. */
  recordAt(place: number): number {
    const record = Atomics.load(this.words, place + 1);
    if (record !== 0) Atomics.add(this.words, COUNTER.found, 1);
    return record;
  }

  isBinary(record: number): boolean {
    return this.word(record, WORD.known) === IS_BINARY;
  }

  hasGrams(record: number): boolean {
    return this.word(record, WORD.known) > 0;
  }

  textOf(record: number): KeptBytes {
    return { at: this.word(record, WORD.textAt), length: this.word(record, WORD.textLength) };
  }

  hasText(record: number): boolean {
    return this.word(record, WORD.textLength) > 0;
  }

  stampOf(record: number): FileStamp {
    const [ino = 0, ctimeMs = 0, mtimeMs = 0, size = 0] = this.doubles.subarray(record / 8, record / 8 + 4);
    return { ino, ctimeMs, mtimeMs, size };
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

  /** Records that the file was just found unchanged. */
  check(record: number): void {
    this.words[(record + STAMP_BYTES) / 4 + WORD.checked] = this.words[COUNTER.moment] as number;
  }

  /** Returns whether the file was found unchanged, or read, since `nextMoment`. */
  isChecked(record: number): boolean {
    return this.word(record, WORD.checked) === this.words[COUNTER.moment];
  }

  /** Starts a new answer: everything must be checked again. Call only while no search runs. */
  nextMoment(): void {
    this.words[COUNTER.moment] = ((this.words[COUNTER.moment] as number) + 1) | 0;
  }

  mayMatch(record: number, query: GramQuery): boolean {
    const { bits } = this;
    bits.at = record + GRAMS_AT;
    bits.log = this.word(record, WORD.known);
    return mayMatch(query, bits);
  }

  /** Stores the content of a file. */
  put(place: number, stamp: FileStamp, { grams, isBinary = false, text }: KnownContent): void {
    const size = GRAMS_AT + (grams ? HIGH_BYTES + (1 << (grams.log - 3)) : 0);
    const record = this.reserve(size);
    if (record === 0) return;
    this.stamp(record, stamp);
    const { words } = this;
    const at = (record + STAMP_BYTES) / 4;
    words[at + WORD.known] = grams?.log ?? (isBinary ? IS_BINARY : NO_GRAMS);
    words[at + WORD.size] = size;
    words[at + WORD.textAt] = text?.at ?? 0;
    words[at + WORD.textLength] = text?.length ?? 0;
    words[at + WORD.checked] = words[COUNTER.moment] as number;
    if (grams)
      this.bits.bytes.set(grams.bytes.subarray(grams.at, grams.at + size - GRAMS_AT), record + GRAMS_AT);
    const before = Atomics.exchange(this.words, place + 1, record);
    if (before === 0) Atomics.add(this.words, COUNTER.records, 1);
    else this.spoil(before, text);
  }

  /**
   * Starts over if there was no room and most records are useless: replaced, or not among the searched files. A tree
   * that is simply too large keeps its records. Call only while no search runs.
   */
  tidy(): void {
    const count = (counter: number) => this.words[counter] as number;
    const isOfNoUse =
      count(COUNTER.found) * 2 < count(COUNTER.records) ||
      count(COUNTER.spoiltBytes) * 4 > count(COUNTER.top) ||
      this.texts.areSpoilt;
    if (count(COUNTER.refused) > 0 && isOfNoUse) this.clear();
    this.words[COUNTER.refused] = 0;
    this.words[COUNTER.found] = 0;
  }

  /**
   * Divides the space between records and texts for a tree of this many files: a small one keeps more of its texts. Starts over if texts occupy the
   * space of records. Call only while no search runs.
   */
  divide(files: number): void {
    const { words } = this;
    const wanted = recordRoomFor(files);
    if ((words[COUNTER.textTop] as number) > ROOM - wanted) this.clear();
    words[COUNTER.recordRoom] = Math.max(wanted, words[COUNTER.top] as number);
  }

  private clear(): void {
    this.words.fill(0, 0, FIRST_RECORD / 4);
    this.words[COUNTER.recordRoom] = recordRoomFor(undefined);
  }

  private stamp(record: number, { ino, ctimeMs, mtimeMs, size }: FileStamp): void {
    const { doubles } = this;
    const at = record / 8;
    doubles[at] = ino;
    doubles[at + 1] = ctimeMs;
    doubles[at + 2] = mtimeMs;
    doubles[at + 3] = size;
  }

  // The next record may reuse the text of the one it replaces.
  private spoil(record: number, textOfNext: KeptBytes | undefined): void {
    Atomics.add(this.words, COUNTER.spoiltBytes, this.word(record, WORD.size));
    const text = this.textOf(record);
    if (text.at !== textOfNext?.at) this.texts.spoil(text);
  }

  private word(record: number, word: number): number {
    return this.words[(record + STAMP_BYTES) / 4 + word] as number;
  }

  private reserve(size: number): number {
    const top = Atomics.add(this.words, COUNTER.top, size);
    const record = FIRST_RECORD + top;
    if (top + size <= (this.words[COUNTER.recordRoom] as number)) return record;
    Atomics.sub(this.words, COUNTER.top, size);
    Atomics.add(this.words, COUNTER.refused, 1);
    return 0;
  }
}

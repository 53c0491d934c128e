import { fstatSync, lstatSync, type Stats } from "node:fs";
import type { GramQuery } from "../filter/gram-query.js";
import { KERNEL_LAYOUT } from "../kernel/kernel-layout.js";
import type { SearchKernel } from "../kernel/search-kernel.js";
import type { BatchedFile } from "../search/text-batch.js";
import type { FileIndex, FileStamp } from "./file-index.js";
import { aligned, type KeptBytes } from "./kept-texts.js";
import { isSettled } from "./kept-times.js";

interface FileFilterSetup {
  readonly root: string;
  readonly index: FileIndex;
  /** Whether to compute the grams of the files that are read. */
  readonly learns: boolean;
  /** Whether to keep their bytes while there is room. */
  readonly keeps: boolean;
  readonly kernel: SearchKernel;
  /** What every match must contain. Without it only binary files are ruled out. */
  readonly grams: GramQuery | undefined;
  readonly maxBytes: number;
  /** Whether files found unchanged for the same answer count as unchanged. */
  readonly follows: boolean;
}

/**
 * Decides which files need not be opened because they have not changed since they were read: those without a match,
 * and those whose bytes are kept. Learns from the others.
 */
export class FileFilter {
  private readonly learning = new Map<string, Learning>();
  /** The file that is read next, if it is worth keeping. */
  private reading: Learning | undefined;
  private kept: KeptBytes = { at: 0, length: 0 };

  constructor(private readonly setup: FileFilterSetup) {}

  /**
   * Returns why the file need not be opened, if so. Checks by path, which a link may have replaced meanwhile: the
   * answer is about the exact file that was read before, otherwise the file is opened from a held folder.
   */
  verdict(path: string): "no match" | "binary" | "kept" | undefined {
    const { index, learns, keeps } = this.setup;
    this.reading = undefined;
    const place = index.find(path);
    if (place < 0) return undefined;
    const record = index.recordAt(place);
    const verdict = record === 0 ? undefined : this.expectation(record);
    if (record !== 0 && verdict === undefined) return undefined;
    if (verdict === undefined || !this.isUnchanged(record, path)) {
      if (learns || keeps) this.reading = { place, stamp: undefined, text: undefined };
      return undefined;
    }
    if (verdict !== "kept") return verdict;
    this.kept = index.textOf(record);
    if (learns && !index.hasGrams(record))
      this.learning.set(path, { place, stamp: index.stampOf(record), text: this.kept });
    return verdict;
  }

  /** Copies the bytes of the last kept file into the kernel's memory. Returns their number. */
  copyKept(at: number): number {
    const { kernel, index } = this.setup;
    const { length } = this.kept;
    const place = aligned(at);
    kernel.reserveText(place - KERNEL_LAYOUT.text + length + 1);
    kernel.bytes.set(index.texts.bytesOf(this.kept), place);
    kernel.bytes.copyWithin(at, place, place + length);
    return length;
  }

  /** Call between opening and reading the file of the last verdict. */
  onOpened(descriptor: number): void {
    const { reading } = this;
    if (!reading) return;
    const stats = fstatSync(descriptor);
    if (this.isWorthKeeping(stats)) reading.stamp = stats;
    else this.reading = undefined;
  }

  /** Call when the bytes of that file are in the kernel's memory. */
  onRead(path: string, at: number, length: number): void {
    const { reading } = this;
    if (!reading?.stamp) return;
    reading.text = this.keepText(reading.stamp, at, length);
    if (this.setup.learns) this.learning.set(path, reading);
    else if (reading.text) this.setup.index.put(reading.place, reading.stamp, { text: reading.text });
  }

  /** Learns from texts in the kernel's memory. */
  learn(texts: readonly BatchedFile[], binary: readonly BatchedFile[]): void {
    if (this.learning.size === 0) return;
    const { index, kernel } = this.setup;
    for (const { path } of binary) {
      const { place, stamp } = this.learning.get(path) ?? NOTHING;
      if (stamp) index.put(place, stamp, { isBinary: true });
    }
    for (const { path, start, end } of texts) {
      const { place, stamp, text } = this.learning.get(path) ?? NOTHING;
      if (!stamp) continue;
      const log = gramsLog(end - start);
      kernel.scan.collectGrams(start, end, log);
      const grams = { bytes: kernel.bytes, words: kernel.words, at: KERNEL_LAYOUT.grams, log };
      index.put(place, stamp, { grams, text });
    }
    this.learning.clear();
  }

  private keepText({ size }: FileStamp, at: number, length: number): KeptBytes | undefined {
    const { kernel, index, keeps } = this.setup;
    if (!keeps || length === 0 || length > MAX_KEPT || length !== size) return undefined;
    const lookedAt = at + Math.min(length, LOOKED_AT);
    if (kernel.scan.findZero(at, lookedAt) < lookedAt) return undefined;
    const place = aligned(at + length);
    kernel.reserveText(place - KERNEL_LAYOUT.text + length);
    kernel.bytes.copyWithin(place, at, at + length);
    return index.texts.keep(kernel.bytes.subarray(place, place + length));
  }

  // Returns the verdict if the file is unchanged.
  private expectation(record: number): "no match" | "binary" | "kept" | undefined {
    const { index, grams } = this.setup;
    if (index.isBinary(record)) return "binary";
    if (grams && index.hasGrams(record) && !index.mayMatch(record, grams)) return "no match";
    return index.hasText(record) ? "kept" : undefined;
  }

  private isUnchanged(record: number, path: string): boolean {
    const { root, index, maxBytes, follows } = this.setup;
    if (follows && index.isChecked(record)) return true;
    try {
      const stats = lstatSync(`${root}/${path}`, { throwIfNoEntry: false });
      if (stats === undefined || stats.size > maxBytes || !index.isUnchanged(record, stats)) return false;
      index.check(record);
      return true;
    } catch {
      // Inaccessible: opening it reports the reason.
      return false;
    }
  }

  private isWorthKeeping(stats: Stats): boolean {
    const { device, settledMs } = this.setup.index;
    return (
      stats.dev === device &&
      stats.isFile() &&
      Number.isSafeInteger(stats.ino) &&
      isSettled(stats, { now: Date.now(), settledMs })
    );
  }
}

interface Learning {
  readonly place: number;
  stamp: FileStamp | undefined;
  text: KeptBytes | undefined;
}

const NOTHING: Learning = { place: 0, stamp: undefined, text: undefined };

/** Larger files would leave no room for many small ones, which cost more to open than to read. */
const MAX_KEPT = 65_535;
/** A NUL this early marks a binary file. */
const LOOKED_AT = 512;

/** Uses one bit for one to two bytes of text, so that about a third of the bits are set. */
function gramsLog(length: number): number {
  return Math.max(9, Math.min(16, Math.floor(Math.log2(length))));
}

import { fstatSync, lstatSync, type Stats } from "node:fs";
import type { GramQuery } from "../filter/gram-query.js";
import { KERNEL_LAYOUT } from "../kernel/kernel-layout.js";
import type { SearchKernel } from "../kernel/search-kernel.js";
import type { BatchedFile } from "../search/text-batch.js";
import type { FileIndex, FileStamp } from "./file-index.js";
import { isSettled } from "./kept-times.js";

export interface FileFilterSetup {
  readonly root: string;
  readonly index: FileIndex;
  readonly kernel: SearchKernel;
  /** What every match must hold; without it only binary files are ruled out. */
  readonly grams: GramQuery | undefined;
  readonly maxBytes: number;
}

/**
 * Tells which files need not be opened, because they are what they were when they were read and hold no match, and learns
 * from those that are opened.
 */
export class FileFilter {
  private readonly learning = new Map<string, Learning>();

  constructor(private readonly setup: FileFilterSetup) {}

  /**
   * Why the file need not be opened, if so. Asked by path, which a link may have changed meanwhile: the answer is about
   * the very file that was read here before, or there is none and it is opened, from a held folder.
   */
  verdict(path: string): "no match" | "binary" | undefined {
    const { index, grams } = this.setup;
    const place = index.find(path);
    if (place < 0) return undefined;
    const record = index.recordAt(place);
    if (record !== 0) {
      const isBinary = index.isBinary(record);
      if (!isBinary && (!grams || index.mayMatch(record, grams))) return undefined;
      if (this.isUnchanged(record, path)) return isBinary ? "binary" : "no match";
    }
    this.learning.set(path, { place, stamp: undefined });
    return undefined;
  }

  /** To be told of a file between opening and reading it. */
  onOpened(path: string, descriptor: number): void {
    const learning = this.learning.get(path);
    if (!learning) return;
    const stats = fstatSync(descriptor);
    learning.stamp = this.isWorthKeeping(stats) ? stats : undefined;
  }

  /** Learns from texts that are in the kernel's memory. */
  learn(texts: readonly BatchedFile[], binary: readonly BatchedFile[]): void {
    if (this.learning.size === 0) return;
    const { index, kernel } = this.setup;
    for (const { path } of binary) {
      const { place, stamp } = this.learning.get(path) ?? NOTHING;
      if (stamp) index.put(place, stamp);
    }
    for (const { path, start, end } of texts) {
      const { place, stamp } = this.learning.get(path) ?? NOTHING;
      if (!stamp) continue;
      const log = gramsLog(end - start);
      kernel.scan.collectGrams(start, end, log);
      index.put(place, stamp, { bytes: kernel.bytes, words: kernel.words, at: KERNEL_LAYOUT.grams, log });
    }
    this.learning.clear();
  }

  private isUnchanged(record: number, path: string): boolean {
    const { root, index, maxBytes } = this.setup;
    try {
      const stats = lstatSync(`${root}/${path}`, { throwIfNoEntry: false });
      return stats !== undefined && stats.size <= maxBytes && index.isUnchanged(record, stats);
    } catch {
      // Not to be looked at any more: opening it will say why.
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
}

const NOTHING: Learning = { place: 0, stamp: undefined };

/** One to two bytes of text for each bit: about a third of the bits get set. */
function gramsLog(length: number): number {
  return Math.max(9, Math.min(16, Math.floor(Math.log2(length))));
}

import { KERNEL_LAYOUT } from "../kernel/kernel-layout.js";
import type { SearchKernel } from "../kernel/search-kernel.js";

export interface BatchedFile {
  readonly path: string;
  readonly start: number;
  /** The position after the newline that ends the text, which is added if missing. */
  end: number;
  /** The same without an added newline, which a multi-line match must not see. */
  textEnd: number;
}

/** A NUL this early makes a file binary; later on, the text ends there. ripgrep reads its first 64 KiB at once. */
const BINARY_WITHIN = 65_536;
const NEWLINE = 0x0a;

/**
 * The texts of several small files, one after the other in the kernel's memory, so that one scan covers all of them.
 */
export class TextBatch {
  files: BatchedFile[] = [];
  end: number = KERNEL_LAYOUT.text;
  /** Whether bytes between the texts belong to none of them, so that one scan over all is wrong. */
  hasGaps = false;

  constructor(
    private readonly kernel: SearchKernel,
    private readonly keepBinary = false,
  ) {}

  get start(): number {
    return KERNEL_LAYOUT.text;
  }

  get size(): number {
    return this.end - KERNEL_LAYOUT.text;
  }

  clear(): void {
    this.files = [];
    this.end = KERNEL_LAYOUT.text;
    this.hasGaps = false;
  }

  /** Adds `length` bytes that were written at `end`. */
  add(path: string, length: number): void {
    const start = this.end;
    const textEnd = start + this.normalise(start, length);
    const { bytes } = this.kernel;
    const isOpen = textEnd > start && bytes[textEnd - 1] !== NEWLINE;
    if (isOpen) bytes[textEnd] = NEWLINE;
    const end = isOpen ? textEnd + 1 : textEnd;
    this.files.push({ path, start, end, textEnd });
    this.end = end;
  }

  /** Removes and returns binary files, and truncates texts that turn binary late. */
  dropBinary(): BatchedFile[] {
    const { scan, bytes } = this.kernel;
    if (this.keepBinary || scan.findZero(this.start, this.end) >= this.end) return [];
    const kept: BatchedFile[] = [];
    const dropped: BatchedFile[] = [];
    for (const file of this.files) {
      const nul = scan.findZero(file.start, file.end);
      if (nul < file.end) this.hasGaps = true;
      if (nul < file.end && nul - file.start < BINARY_WITHIN) {
        dropped.push(file);
        continue;
      }
      if (nul < file.end) {
        bytes[nul] = NEWLINE;
        file.end = nul + 1;
        file.textEnd = nul;
      }
      kept.push(file);
    }
    this.files = kept;
    return dropped;
  }

  // A byte order mark is not part of the text, and none of it may stay between two files.
  private normalise(start: number, length: number): number {
    const { bytes } = this.kernel;
    if (length >= 2 && isUtf16Mark(bytes, start)) return this.transcode(start, length);
    const hasMark =
      length >= 3 && bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf;
    if (!hasMark) return length;
    bytes.copyWithin(start, start + 3, start + length);
    return length - 3;
  }

  private transcode(start: number, length: number): number {
    const raw = this.kernel.bytes.slice(start + 2, start + length);
    if (this.kernel.bytes[start] === 0xfe) swapPairs(raw);
    const text = new TextEncoder().encode(new TextDecoder("utf-16le").decode(raw));
    this.kernel.reserveText(start - KERNEL_LAYOUT.text + text.length + 1);
    this.kernel.bytes.set(text, start);
    return text.length;
  }
}

function isUtf16Mark(bytes: Uint8Array, at: number): boolean {
  return (bytes[at] === 0xff && bytes[at + 1] === 0xfe) || (bytes[at] === 0xfe && bytes[at + 1] === 0xff);
}

function swapPairs(bytes: Uint8Array): void {
  for (let index = 0; index + 1 < bytes.length; index += 2) {
    const first = bytes[index] as number;
    bytes[index] = bytes[index + 1] as number;
    bytes[index + 1] = first;
  }
}

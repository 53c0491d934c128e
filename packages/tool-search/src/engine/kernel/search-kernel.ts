import { KERNEL_BINARY } from "./kernel-binary.js";
import { KERNEL_LAYOUT } from "./kernel-layout.js";

/** One instance of the WebAssembly kernel with its own memory. Two concurrent searches cannot share it. */
export class SearchKernel {
  readonly scan: KernelExports;
  /** The whole memory. It is replaced when it grows, so never keep it across `reserveText`. */
  bytes: Uint8Array;
  words: Int32Array;

  constructor(textCapacity: number) {
    this.scan = instantiate();
    this.bytes = new Uint8Array(this.scan.memory.buffer);
    this.words = new Int32Array(this.scan.memory.buffer);
    this.reserveText(textCapacity);
  }

  /** Grows the memory to fit this many bytes of text, preserving its contents. */
  reserveText(capacity: number): void {
    const needed = KERNEL_LAYOUT.text + capacity + KERNEL_LAYOUT.slack;
    const missing = needed - this.scan.memory.buffer.byteLength;
    if (missing <= 0) return;
    this.scan.memory.grow(Math.ceil(missing / 65_536));
    this.bytes = new Uint8Array(this.scan.memory.buffer);
    this.words = new Int32Array(this.scan.memory.buffer);
  }
}

interface KernelExports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  readonly resume: { value: number };
  readonly reason: { readonly value: number };
  readonly state: { value: number };
  readonly cursor: { value: number };
  readonly kept: { value: number };
  readonly low: { value: number };
  readonly examined: { value: number };
  findByte(from: number, end: number, byte: number): number;
  findZero(from: number, end: number): number;
  countByte(from: number, end: number, byte: number): number;
  lineStart(at: number, low: number): number;
  scanLiteral(from: number, end: number, length: number, first: number, second: number): number;
  scanWindow(from: number, end: number, width: number, shared: number): number;
  scanDfa(from: number, end: number, current: number, start: number, row: number, capacity: number): number;
  judgeLines(count: number, start: number, row: number): void;
  settleLine(matches: number): void;
  collectGrams(from: number, end: number, log: number): void;
  runDfa(from: number, end: number, current: number, row: number): number;
}

// The types of neither the language nor Node include WebAssembly; a global declaration would clash with the DOM's.
interface WebAssemblyNamespace {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { readonly exports: unknown };
}

function instantiate(): KernelExports {
  const { WebAssembly } = globalThis as unknown as { WebAssembly: WebAssemblyNamespace };
  const text = globalThis.atob(KERNEL_BINARY);
  const binary = new Uint8Array(text.length);
  // Not Uint8Array.from: in a fresh process a loop takes half the time.
  for (let index = 0; index < text.length; index++) binary[index] = text.charCodeAt(index);
  return new WebAssembly.Instance(new WebAssembly.Module(binary)).exports as KernelExports;
}

import { COUNTER, ROOM } from "./shared-file-index.js";

/** The position of a file's bytes in the index; length 0 if they are not stored. */
export interface KeptBytes {
  readonly at: number;
  readonly length: number;
}

/** The bytes of small files, stored in the index from its end downwards. Its records point to them. */
export class KeptTexts {
  private readonly words: Int32Array;
  private readonly bytes: Uint8Array;

  constructor(memory: SharedArrayBuffer) {
    this.words = new Int32Array(memory);
    this.bytes = new Uint8Array(memory);
  }

  bytesOf({ at, length }: KeptBytes): Uint8Array {
    return this.bytes.subarray(at, at + length);
  }

  /**
   * Stores the bytes of a file while there is room. The caller adds the record that points to them. Shared memory is
   * copied bytewise unless both ends are multiples of 8, so texts start at such offsets and `bytes` should too.
   */
  keep(bytes: Uint8Array): KeptBytes | undefined {
    const { length } = bytes;
    const size = aligned(length);
    const top = Atomics.add(this.words, COUNTER.textTop, size) + size;
    if (top <= ROOM - (this.words[COUNTER.recordRoom] as number)) {
      const at = this.bytes.length - top;
      this.bytes.set(bytes, at);
      return { at, length };
    }
    Atomics.sub(this.words, COUNTER.textTop, size);
    if (this.areSpoilt) Atomics.add(this.words, COUNTER.refused, 1);
    return undefined;
  }

  /** Marks a text that no record points to any more. */
  spoil({ length }: KeptBytes): void {
    Atomics.add(this.words, COUNTER.spoiltText, length);
  }

  /** Whether useless texts take much of the room. A tree whose texts do not all fit keeps those it has. */
  get areSpoilt(): boolean {
    return (this.words[COUNTER.spoiltText] as number) * 4 > (this.words[COUNTER.textTop] as number);
  }
}

/** Rounds up to a multiple of 8. */
export function aligned(place: number): number {
  return (place + 7) & ~7;
}

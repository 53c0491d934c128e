import type { FileState } from "./file-change.js";
import type { SplicedContent } from "./spliced-content.js";

/** A new file state that shares most of its content with the previous one, and is joined only on demand. */
export class SplicedFile implements FileState {
  readonly type = "file";
  readonly hash: string;
  readonly mode?: number;
  readonly made: SplicedContent;
  #bytes: Uint8Array | undefined;

  constructor(made: SplicedContent, { hash, mode }: { readonly hash: string; readonly mode?: number }) {
    this.made = made;
    this.hash = hash;
    if (mode !== undefined) this.mode = mode;
  }

  get parts(): readonly Uint8Array[] {
    return this.made.parts;
  }

  get bytes(): Uint8Array {
    this.#bytes ??= joinParts(this.parts);
    return this.#bytes;
  }
}

/** Returns the size of a state in bytes without joining its parts. */
export function sizeOfState(state: Pick<FileState, "parts" | "bytes">): number {
  return state.parts === undefined ? state.bytes.length : sizeOfParts(state.parts);
}

export function sizeOfParts(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}

/** Joins all parts, up to `maxBytes`, into one array. */
export function joinParts(parts: readonly Uint8Array[], maxBytes = Number.POSITIVE_INFINITY): Uint8Array {
  const joined = new Uint8Array(Math.min(maxBytes, sizeOfParts(parts)));
  let at = 0;
  for (const part of parts) {
    if (at === joined.length) break;
    const taken = part.subarray(0, joined.length - at);
    joined.set(taken, at);
    at += taken.length;
  }
  return joined;
}

import type { FileState } from "./file-change.js";
import type { SplicedContent } from "./spliced-content.js";

/** A new state of a file that shares most of its content with the former one, and is only put together when asked for. */
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

/** How many bytes a state has, without putting them together. */
export function sizeOfState(state: Pick<FileState, "parts" | "bytes">): number {
  return state.parts === undefined ? state.bytes.length : sizeOfParts(state.parts);
}

export function sizeOfParts(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}

/** One array of all parts, or of as much of them as is wanted. */
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

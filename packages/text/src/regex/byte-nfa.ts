import type { Look } from "./regex-node.js";

export const BYTES = 0;
export const SPLIT = 1;
export const ASSERT = 2;
export const MATCH = 3;
/** Records the position in a capture slot. */
export const SAVE = 4;

/**
 * A Thompson automaton over bytes. State `s` has a kind and edges: for BYTES, triples [low, high, next] sorted by
 * byte; for SPLIT, the targets in order of preference; for ASSERT, the target after the condition; for SAVE, the
 * target and the slot.
 */
export interface ByteNfa {
  readonly kinds: readonly number[];
  readonly edges: readonly (readonly number[])[];
  readonly looks: readonly (Look | undefined)[];
  readonly start: number;
  /** Maps each byte to its equivalence class: bytes that no edge and no condition distinguishes. */
  readonly classes: Uint8Array;
  readonly classCount: number;
  /** Whether CRLF counts as one LF. Off for patterns that contain a carriage return. */
  readonly crlf: boolean;
  /** Whether a `\b` depends on whole characters, so that bytes from 0x80 on cannot decide it. */
  readonly hasUnicodeWord: boolean;
}

/** Returns the target of a BYTES state for a byte, or -1. */
export function stepByte(edges: readonly number[], byte: number): number {
  let low = 0;
  let high = edges.length / 3 - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (byte < (edges[middle * 3] as number)) high = middle - 1;
    else if (byte > (edges[middle * 3 + 1] as number)) low = middle + 1;
    else return edges[middle * 3 + 2] as number;
  }
  return -1;
}

export function isWordByte(byte: number): boolean {
  return (
    (byte >= 0x61 && byte <= 0x7a) ||
    (byte >= 0x41 && byte <= 0x5a) ||
    (byte >= 0x30 && byte <= 0x39) ||
    byte === 0x5f
  );
}

import type { FileState } from "@haft/core/workspace";

/**
 * Returns the differing part of two states of a file, with enough context that anything not longer than `span` that
 * is in only one of them is complete. Skips content that a file shares with its former version.
 */
export function changedBytes(
  before: Uint8Array | undefined,
  after: Pick<FileState, "bytes" | "parts">,
  span: number,
): { readonly before: Buffer; readonly after: Buffer } {
  if (before === undefined || after.parts === undefined)
    return { before: asBuffer(before ?? new Uint8Array()), after: asBuffer(after.bytes) };
  const former: Uint8Array[] = [];
  const present: Uint8Array[] = [];
  let from = 0;
  for (const part of after.parts) {
    const at = offsetIn(before, part);
    if (at < from) {
      present.push(part);
      continue;
    }
    const kept = edgesOf(part, span);
    former.push(before.subarray(from, at), ...kept);
    present.push(...kept);
    from = at + part.length;
  }
  former.push(before.subarray(from));
  return { before: Buffer.concat(former), after: Buffer.concat(present) };
}

/** Returns the offset of a part in the bytes it was sliced from, or -1. */
function offsetIn(whole: Uint8Array, part: Uint8Array): number {
  if (whole.buffer !== part.buffer) return -1;
  const at = part.byteOffset - whole.byteOffset;
  return at >= 0 && at + part.length <= whole.length ? at : -1;
}

function edgesOf(part: Uint8Array, span: number): readonly Uint8Array[] {
  if (part.length <= 2 * span) return [part];
  return [part.subarray(0, span), BETWEEN, part.subarray(part.length - span)];
}

/** Occurs in no text, so that the parts around omitted bytes do not join. */
const BETWEEN = Uint8Array.of(0xff, 0xff);

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

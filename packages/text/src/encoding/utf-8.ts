// Both globals exist in every supported runtime. They are declared here because the package compiles without
// Node or browser types.
declare const TextDecoder: new (
  label: string,
  options?: { fatal: boolean; ignoreBOM: boolean },
) => { decode(bytes: Uint8Array): string; readonly encoding: string };
declare const TextEncoder: new () => { encode(text: string): Uint8Array };

/**
 * Decodes strictly; returns undefined for malformed UTF-8. The result encodes back to the same bytes, because
 * well-formed UTF-8 has exactly one form for each text.
 */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Decodes with U+FFFD for malformed sequences. */
export function decodeUtf8Lossily(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(bytes);
}

/** Returns the encoding that a web label names, or undefined if the platform does not know the label. */
export function webEncoding(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

export function isPlainAscii(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte < 0x80);
}

/** Requires well-formed text: a lone surrogate would silently become U+FFFD. */
export function encodeUtf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Returns the length without a trailing incomplete character. */
export function completeUtf8Length(bytes: Uint8Array): number {
  const earliest = Math.max(0, bytes.length - 3);
  for (let at = bytes.length - 1; at >= earliest; at--) {
    const needed = utf8SequenceLength(bytes[at] ?? 0);
    if (needed > 0) return at + needed > bytes.length ? at : bytes.length;
  }
  return bytes.length;
}

/** Character length by its first byte; 0 for a byte that cannot start a character. */
export function utf8SequenceLength(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xc2) return 0;
  if (first < 0xe0) return 2;
  if (first < 0xf0) return 3;
  return first < 0xf5 ? 4 : 0;
}

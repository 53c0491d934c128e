// The two globals exist in every runtime we support; they are declared here because the package compiles
// against the language alone, without the types of Node or of a browser.
declare const TextDecoder: new (
  label: string,
  options: { fatal: boolean; ignoreBOM: boolean },
) => { decode(bytes: Uint8Array): string };
declare const TextEncoder: new () => { encode(text: string): Uint8Array };

/**
 * Strict: anything that is not well-formed UTF-8 gives undefined. What it returns encodes to the same bytes
 * again, because well-formed UTF-8 has exactly one form for each text.
 */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** The text must be well-formed: a lone surrogate would silently become U+FFFD. */
export function encodeUtf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** How many bytes are left when a character that the end cuts off is dropped. */
export function completeUtf8Length(bytes: Uint8Array): number {
  const earliest = Math.max(0, bytes.length - 3);
  for (let at = bytes.length - 1; at >= earliest; at--) {
    const needed = utf8SequenceLength(bytes[at] ?? 0);
    if (needed > 0) return at + needed > bytes.length ? at : bytes.length;
  }
  return bytes.length;
}

/** By its first byte; 0 for a byte that no character starts with. */
export function utf8SequenceLength(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xc2) return 0;
  if (first < 0xe0) return 2;
  if (first < 0xf0) return 3;
  return first < 0xf5 ? 4 : 0;
}

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

import type { TextFormat } from "./text-format.js";
import { decodeUtf8 } from "./utf-8.js";

export interface TextStreamDecoder {
  decode(chunk: Uint8Array): string;
  end(): string;
}

export function createTextStreamDecoder(_format: TextFormat): TextStreamDecoder {
  return { decode: (chunk) => decodeUtf8(chunk) ?? "", end: () => "" };
}

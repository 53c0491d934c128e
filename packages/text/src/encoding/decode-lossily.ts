import { openDecoder } from "./iconv-codec.js";
import { decodeUtf8Lossily } from "./utf-8.js";

/** Decodes text for display only. Invalid bytes become U+FFFD, so the result does not round-trip. */
export function decodeLossily(bytes: Uint8Array, encoding: string): string {
  return encoding === "utf-8" ? decodeUtf8Lossily(bytes) : openDecoder(encoding).write(bytes);
}

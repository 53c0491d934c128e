import { runAll, type Steps } from "../steps.js";
import { isWellFormed } from "../well-formed.js";
import { byteOrderMark } from "./byte-order-mark.js";
import { type DecodedPrefix, decodeExactlySteps } from "./iconv-codec.js";
import { looksControlled } from "./looks-binary.js";
import type { TextFormat } from "./text-format.js";
import { completeUtf8Length, decodeUtf8 } from "./utf-8.js";

/**
 * Decodes bytes in a given format; returns undefined if they are invalid in it. With `partial`, the bytes are
 * the start of longer data, and an unfinished character at the end is dropped.
 */
export function decodeAs(bytes: Uint8Array, format: TextFormat, partial = false): string | undefined {
  return runAll(decodeAsSteps(bytes, format, partial));
}

/** Like `decodeAs`, in steps. */
export function* decodeAsSteps(
  bytes: Uint8Array,
  format: TextFormat,
  partial = false,
): Steps<string | undefined> {
  const body = bytes.subarray(byteOrderMark(format).length);
  const decoded = yield* decodePrefixSteps(body, format.encoding);
  if (decoded === undefined || (!partial && decoded.length < body.length)) return undefined;
  if (format.encoding !== "utf-8" && looksControlled(decoded.text)) return undefined;
  return decoded.text;
}

/** Strictly decodes every complete character. Returns undefined if the bytes are invalid before their end. */
export function decodePrefix(bytes: Uint8Array, encoding: string): DecodedPrefix | undefined {
  return runAll(decodePrefixSteps(bytes, encoding));
}

function* decodePrefixSteps(bytes: Uint8Array, encoding: string): Steps<DecodedPrefix | undefined> {
  if (encoding !== "utf-8") {
    const decoded = yield* decodeExactlySteps(bytes, encoding);
    return decoded !== undefined && isWellFormed(decoded.text) ? decoded : undefined;
  }
  const length = completeUtf8Length(bytes);
  const text = decodeUtf8(length === bytes.length ? bytes : bytes.subarray(0, length));
  return text === undefined ? undefined : { text, length };
}

import { cutBefore } from "../cut-point.js";
import { lazyPattern } from "../lazy-pattern.js";
import { runAll, type Steps } from "../steps.js";
import { isWellFormed } from "../well-formed.js";
import { byteOrderMark } from "./byte-order-mark.js";
import { concatBytes } from "./concat-bytes.js";
import { decodeAsSteps } from "./decode-as.js";
import { candidates, type DetectedEncoding, type ReadAs } from "./detect-encoding.js";
import { EncodingError } from "./encoding-error.js";
import { encodeExactlySteps } from "./iconv-codec.js";
import type { TextFormat } from "./text-format.js";
import { encodeUtf8 } from "./utf-8.js";

export interface DecodedText extends DetectedEncoding {
  readonly text: string;
}

/**
 * Decodes bytes. Returns undefined if they are not text, or not text that can be written back:
 * `encodeText(text, format)` always returns exactly the decoded bytes.
 */
export function decodeText(bytes: Uint8Array, options: ReadAs = {}): DecodedText | undefined {
  return runAll(decodeTextSteps(bytes, options));
}

/** Like `decodeText`, in steps, so that a long text does not hold the thread. */
export function* decodeTextSteps(bytes: Uint8Array, options: ReadAs = {}): Steps<DecodedText | undefined> {
  for (const candidate of candidates(bytes, options)) {
    const text = yield* decodeAsSteps(bytes, candidate.format);
    if (text !== undefined) return { text, ...candidate };
  }
  return undefined;
}

/**
 * Encodes strictly: throws EncodingError for a character the encoding cannot represent and never substitutes
 * "?".
 */
export function encodeText(text: string, format: TextFormat): Uint8Array {
  return runAll(encodeTextSteps(text, format));
}

/** Like `encodeText`, in steps. */
export function* encodeTextSteps(text: string, format: TextFormat): Steps<Uint8Array> {
  const { encoding } = format;
  if (!isWellFormed(text)) throw unencodable(text, text.search(LONE_SURROGATE()), encoding);
  const mark = byteOrderMark(format);
  const body = encoding === "utf-8" ? encodeUtf8(text) : yield* encodeBody(text, encoding);
  return mark.length === 0 ? body : concatBytes(mark, body);
}

function* encodeBody(text: string, encoding: string): Steps<Uint8Array> {
  const { bytes, failedAt } = yield* encodeExactlySteps(text, encoding);
  if (failedAt !== -1) throw unencodable(text, cutBefore(text, failedAt), encoding);
  return bytes;
}

function unencodable(text: string, index: number, encoding: string): EncodingError {
  const character = String.fromCodePoint(text.codePointAt(index) ?? 0);
  return new EncodingError({ character, index, encoding });
}

const LONE_SURROGATE = lazyPattern(String.raw`\p{Cs}`);

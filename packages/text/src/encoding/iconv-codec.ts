// The only module that uses iconv-lite. It handles every encoding except UTF-8, and adds strictness: the
// library writes "?" for characters it cannot encode and U+FFFD for bytes it cannot decode.
import iconv from "#iconv-lite";
import { cutAfter } from "../cut-point.js";
import { runAll, type Steps } from "../steps.js";
import { concatBytes } from "./concat-bytes.js";

/**
 * Decodes exactly: the text encodes back to the same bytes. An incomplete character at the end is dropped;
 * `length` is the number of bytes decoded. Returns undefined for anything invalid before that.
 */
export function decodeExactly(bytes: Uint8Array, encoding: string): DecodedPrefix | undefined {
  return runAll(decodeExactlySteps(bytes, encoding));
}

/** Like `decodeExactly`, in steps. */
export function* decodeExactlySteps(bytes: Uint8Array, encoding: string): Steps<DecodedPrefix | undefined> {
  const decoder = openDecoder(encoding);
  const encoder = openEncoder(encoding);
  const texts: string[] = [];
  let length = 0;
  for (let from = 0; ; from += STEP_LENGTH) {
    const isLast = from + STEP_LENGTH >= bytes.length;
    const decoded = decoder.write(bytes.subarray(from, from + STEP_LENGTH));
    const text = isLast ? decoded.replace(/[\ud800-\udbff]$/, "") : decoded;
    if (text.includes("\ufffd") && !canHoldReplacement(encoding)) return undefined;
    const again = encoder.write(text, isLast);
    if (!startsWith(bytes.subarray(length), again)) return undefined;
    texts.push(text);
    length += again.length;
    if (isLast) break;
    yield;
  }
  return bytes.length - length <= longestUnfinished ? { text: texts.join(""), length } : undefined;
}

export interface DecodedPrefix {
  readonly text: string;
  readonly length: number;
}

// The most an incomplete character can hold: three of the four bytes of GB 18030, UTF-32 or a surrogate pair.
const longestUnfinished = 3;

/** Creates a decoder that writes U+FFFD for invalid bytes and holds back an incomplete character. */
export function openDecoder(encoding: string): Decoder {
  assertKnown(encoding);
  return iconv.getDecoder(encoding, { stripBOM: false }) as Decoder;
}

interface Decoder {
  write(chunk: Uint8Array): string;
  /** Returns what was held back. */
  end(): string | undefined;
}

interface ExactEncoding {
  readonly bytes: Uint8Array;
  /** Returns the index of the first character the encoding cannot represent, or -1. */
  readonly failedAt: number;
}

/**
 * Decoding the bytes again reveals every character that changed, "?" included, at its own index. U+FFFD needs
 * its own check: iconv-lite's single-byte tables map it to an undefined byte.
 */
export function* encodeExactlySteps(text: string, encoding: string): Steps<ExactEncoding> {
  const encoder = openEncoder(encoding);
  const decoder = openDecoder(encoding);
  const pieces: Uint8Array[] = [];
  let changed = -1;
  for (let from = 0, checked = 0, to = 0; changed === -1; from = to) {
    to = cutAfter(text, Math.min(from + STEP_LENGTH, text.length));
    const isLast = to === text.length;
    const bytes = encoder.write(text.slice(from, to), isLast);
    const readBack = decoder.write(bytes) + ((isLast && decoder.end()) || "");
    if (!text.startsWith(readBack, checked))
      changed = checked + firstDifference(text.slice(checked, checked + readBack.length), readBack);
    checked += readBack.length;
    pieces.push(bytes);
    if (isLast && changed === -1 && checked < text.length) changed = checked;
    if (isLast) break;
    yield;
  }
  const replacement = canHoldReplacement(encoding) ? -1 : text.indexOf("\ufffd");
  const failedAt =
    changed === -1 || replacement === -1 ? Math.max(changed, replacement) : Math.min(changed, replacement);
  return { bytes: concatBytes(...pieces), failedAt };
}

/** Encodes with "?" for unsupported characters, a piece at a time. */
function openEncoder(encoding: string): { write(text: string, isLast: boolean): Uint8Array } {
  assertKnown(encoding);
  const encoder = iconv.getEncoder(encoding);
  return {
    write(text, isLast) {
      const bytes = plainBytes(encoder.write(text));
      const rest = isLast ? encoder.end() : undefined;
      const all = rest === undefined ? bytes : concatBytes(bytes, plainBytes(rest));
      return encoding === "euc-jp" && text.includes("\uff5e") ? withUsualTilde(all) : all;
    },
  };
}

/** Returns the same bytes as a plain array, not the library's Buffer. */
function plainBytes({ buffer, byteOffset, byteLength }: Uint8Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** About what a millisecond suffices for, in bytes or UTF-16 units. */
const STEP_LENGTH = 64 * 1024;

/**
 * For the full-width tilde, which is common in Japanese text, iconv-lite's EUC-JP table prefers a rare code
 * over the one other programs write.
 */
function withUsualTilde(bytes: Uint8Array): Uint8Array {
  const usual: number[] = [];
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === 0x8f && bytes[at + 1] === 0xa2 && bytes[at + 2] === 0xb7) {
      usual.push(0xa1, 0xc1);
      at += 2;
    } else usual.push(bytes[at] as number);
  }
  return Uint8Array.from(usual);
}

/** UTF-7 is excluded: it hides markup in plain ASCII. */
export function isSupported(encoding: string): boolean {
  return encoding === "utf-8" || (iconv.encodingExists(encoding) && !encoding.startsWith("utf-7"));
}

function assertKnown(encoding: string): void {
  if (!iconv.encodingExists(encoding)) throw new Error(`Unknown encoding: ${encoding}`);
}

/** In Unicode encodings, including GB 18030, U+FFFD is an ordinary character. */
function canHoldReplacement(encoding: string): boolean {
  return encoding === "gb18030" || encoding.startsWith("utf-");
}

function startsWith(bytes: Uint8Array, head: Uint8Array): boolean {
  if (head.length > bytes.length) return false;
  for (let index = 0; index < head.length; index++) if (bytes[index] !== head[index]) return false;
  return true;
}

function firstDifference(left: string, right: string): number {
  let index = 0;
  while (index < left.length && left.charCodeAt(index) === right.charCodeAt(index)) index++;
  return index;
}

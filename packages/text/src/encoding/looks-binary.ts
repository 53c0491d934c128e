import { markedFormats } from "./byte-order-mark.js";
import { unmarkedUtf16 } from "./unmarked-utf-16.js";

/**
 * Checks the first 8 KiB for a NUL outside UTF-16 and UTF-32, or more than 30 % control characters. False
 * does not guarantee text; only decoding does.
 */
export function looksBinary(sample: Uint8Array): boolean {
  if (markedFormats(sample).some(({ encoding }) => encoding !== "utf-8")) return false;
  return hasBinaryBytes(sample) && unmarkedUtf16(sample) === undefined;
}

/** The same check for byte-oriented encodings: UTF-8 and legacy encodings. */
export function hasBinaryBytes(sample: Uint8Array): boolean {
  const head = sample.subarray(0, sniffLength);
  if (head.includes(0)) return true;
  let controls = 0;
  for (const byte of head) if (isControl(byte)) controls++;
  return isTooMuch(controls, head.length);
}

/** The same check for decoded text. */
export function looksControlled(text: string): boolean {
  const length = Math.min(text.length, sniffLength);
  let controls = 0;
  for (let index = 0; index < length; index++) if (isControl(text.charCodeAt(index))) controls++;
  return isTooMuch(controls, length);
}

const sniffLength = 8192;

/**
 * Tab, newline, form feed, carriage return, backspace (overstruck manuals) and escape (coloured logs) count
 * as text.
 */
function isControl(code: number): boolean {
  if (code >= 0x20) return code === 0x7f;
  return code !== 0x1b && (code < 0x08 || code > 0x0d || code === 0x0b);
}

function isTooMuch(controls: number, length: number): boolean {
  return controls * 10 > length * 3;
}

// A separate part of the kernel: computes the filter of a file.

const HIGH_MARKS: usize = 1280;
const INDEXES: usize = 1536;
const GRAM_MARKS: usize = 2228224;
const GRAMS: usize = 2293760;

const FIRST: i32 = 40503;
const SECOND: i32 = 34283;
const THIRD: i32 = 49843;

/**
 * Collects the contents of a text for the filter of its file: 16 bytes at GRAMS mark the bytes from 0x80 on, and
 * 2^log bits after them mark three consecutive bytes, ignoring the case of ASCII letters and hashed as in
 * src/engine/filter/gram-hash.ts.
 */
export function collectGrams(from: i32, end: i32, log: i32): void {
  const shift = 16 - log;
  memory.fill(HIGH_MARKS, 0, 128);
  memory.fill(GRAM_MARKS, 0, (<usize>1) << log);
  let at = from;
  for (; at + 18 <= end; at += 16) {
    const text = v128.load(at);
    if (i8x16.bitmask(text) !== 0) markHigh(at, at + 16);
    const first = withoutCase(text);
    const second = withoutCase(v128.load(at, 1));
    const third = withoutCase(v128.load(at, 2));
    markGrams(
      i16x8.extend_low_i8x16_u(first),
      i16x8.extend_low_i8x16_u(second),
      i16x8.extend_low_i8x16_u(third),
      shift,
    );
    markGrams(
      i16x8.extend_high_i8x16_u(first),
      i16x8.extend_high_i8x16_u(second),
      i16x8.extend_high_i8x16_u(third),
      shift,
    );
  }
  markHigh(at, end);
  for (; at + 3 <= end; at++) {
    const sum = lower(at) * FIRST + lower(at + 1) * SECOND + lower(at + 2) * THIRD;
    store<u8>(GRAM_MARKS + <usize>((sum & 0xffff) >> shift), 1);
  }
  packMarks(HIGH_MARKS, 128, GRAMS);
  packMarks(GRAM_MARKS, 1 << log, GRAMS + 16);
}

function withoutCase(text: v128): v128 {
  const isUpper = v128.and(i8x16.ge_u(text, i8x16.splat(65)), i8x16.le_u(text, i8x16.splat(90)));
  return v128.or(text, v128.and(isUpper, i8x16.splat(32)));
}

function lower(at: i32): i32 {
  const byte = <i32>load<u8>(at);
  return byte >= 65 && byte <= 90 ? byte | 32 : byte;
}

function markGrams(first: v128, second: v128, third: v128, shift: i32): void {
  const a = i16x8.mul(first, i16x8.splat(<i16>FIRST));
  const b = i16x8.mul(second, i16x8.splat(<i16>SECOND));
  const c = i16x8.mul(third, i16x8.splat(<i16>THIRD));
  // Through memory: cheaper than extracting eight lanes one by one.
  v128.store(INDEXES, i16x8.shr_u(i16x8.add(i16x8.add(a, b), c), shift));
  store<u8>(GRAM_MARKS + <usize>load<u16>(INDEXES), 1);
  store<u8>(GRAM_MARKS + <usize>load<u16>(INDEXES, 2), 1);
  store<u8>(GRAM_MARKS + <usize>load<u16>(INDEXES, 4), 1);
  store<u8>(GRAM_MARKS + <usize>load<u16>(INDEXES, 6), 1);
  store<u8>(GRAM_MARKS + <usize>load<u16>(INDEXES, 8), 1);
  store<u8>(GRAM_MARKS + <usize>load<u16>(INDEXES, 10), 1);
  store<u8>(GRAM_MARKS + <usize>load<u16>(INDEXES, 12), 1);
  store<u8>(GRAM_MARKS + <usize>load<u16>(INDEXES, 14), 1);
}

function markHigh(from: i32, end: i32): void {
  for (let at = from; at < end; at++) {
    const byte = load<u8>(at);
    if (byte >= 128) store<u8>(HIGH_MARKS + <usize>(byte & 127), 1);
  }
}

/** Writes one bit per marked byte. */
function packMarks(marks: usize, count: usize, bits: usize): void {
  const zero = i8x16.splat(0);
  for (let at: usize = 0; at < count; at += 16) {
    store<u16>(bits + (at >> 3), <u16>i8x16.bitmask(i8x16.ne(v128.load(marks + at), zero)));
  }
}

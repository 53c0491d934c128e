// Finds bytes and line ends. Expects a newline at the end of the text and 64 readable bytes after it.

export function findByte(from: i32, end: i32, byte: i32): i32 {
  const wanted = i8x16.splat(<i8>byte);
  let at = from;
  while (at < end) {
    const found = i8x16.bitmask(i8x16.eq(v128.load(at), wanted));
    if (found !== 0) {
      const place = at + ctz(found);
      return place < end ? place : end;
    }
    at += 16;
  }
  return end;
}

/** Returns the first zero, or `end`; for long texts that rarely contain one. */
export function findZero(from: i32, end: i32): i32 {
  const zero = i8x16.splat(0);
  let at = from;
  for (; at + 64 <= end; at += 64) {
    const low = i8x16.min_u(v128.load(at), v128.load(at, 16));
    const high = i8x16.min_u(v128.load(at, 32), v128.load(at, 48));
    if (v128.any_true(i8x16.eq(i8x16.min_u(low, high), zero))) break;
  }
  return findByte(at, end, 0);
}

export function countByte(from: i32, end: i32, byte: i32): i32 {
  const wanted = i8x16.splat(<i8>byte);
  let count = 0;
  let at = from;
  for (; at + 16 <= end; at += 16) count += popcnt(i8x16.bitmask(i8x16.eq(v128.load(at), wanted)));
  for (; at < end; at++) count += i32(load<u8>(at) === <u8>byte);
  return count;
}

/** Returns the first byte of the line that contains `at`. */
export function lineStart(at: i32, low: i32): i32 {
  const newline = i8x16.splat(10);
  let end = at;
  while (end - 16 >= low) {
    const found = i8x16.bitmask(i8x16.eq(v128.load(end - 16), newline));
    if (found !== 0) return end - 16 + (32 - clz(found));
    end -= 16;
  }
  while (end > low && load<u8>(end - 1) !== 10) end--;
  return end;
}

export function lineEnd(at: i32): i32 {
  const newline = i8x16.splat(10);
  let place = at;
  let found = i8x16.bitmask(i8x16.eq(v128.load(place), newline));
  while (found === 0) {
    place += 16;
    found = i8x16.bitmask(i8x16.eq(v128.load(place), newline));
  }
  return place + ctz(found);
}

export interface Dimensions {
  readonly width: number;
  readonly height: number;
}

/**
 * Reads the size of an image from its header. Undefined if the header is damaged. Every loop advances through the
 * available bytes, so that no file can make it run long.
 */
export function imageDimensions(bytes: Uint8Array, mimeType: string): Dimensions | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const found = READERS.get(mimeType)?.(view);
    return found !== undefined && found.width > 0 && found.height > 0 ? found : undefined;
  } catch (error) {
    // A truncated header causes a read beyond the end.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

type Reader = (view: DataView) => Dimensions | undefined;

const READERS = new Map<string, Reader>([
  ["image/png", (view) => ({ width: view.getUint32(16), height: view.getUint32(20) })],
  ["image/gif", (view) => ({ width: view.getUint16(6, true), height: view.getUint16(8, true) })],
  ["image/bmp", (view) => ({ width: view.getInt32(18, true), height: Math.abs(view.getInt32(22, true)) })],
  ["image/x-icon", (view) => ({ width: view.getUint8(6) || 256, height: view.getUint8(7) || 256 })],
  ["image/jpeg", readJpeg],
  ["image/webp", readWebp],
  ["image/tiff", readTiff],
  ["image/avif", readBoxes],
  ["image/heic", readBoxes],
]);

/** Walks the segments by their lengths until one starts a frame. */
function readJpeg(view: DataView): Dimensions | undefined {
  let at = 2;
  while (at + 9 <= view.byteLength) {
    const marker = view.getUint8(at + 1);
    if (view.getUint8(at) !== 0xff) return undefined;
    if (marker === 0xff) at += 1;
    else if (isFrame(marker)) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    else at += 2 + Math.max(2, view.getUint16(at + 2));
  }
  return undefined;
}

function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function readWebp(view: DataView): Dimensions | undefined {
  const form = view.getUint32(12);
  if (form === tag("VP8X")) {
    const size = (at: number) => 1 + (view.getUint16(at, true) | (view.getUint8(at + 2) << 16));
    return { width: size(24), height: size(27) };
  }
  if (form === tag("VP8L")) {
    const bits = view.getUint32(21, true);
    return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >> 14) & 0x3fff) };
  }
  if (form !== tag("VP8 ")) return undefined;
  return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
}

function readTiff(view: DataView): Dimensions | undefined {
  const isLittle = view.getUint8(0) === 0x49;
  const directory = view.getUint32(4, isLittle);
  const found = new Map<number, number>();
  const count = view.getUint16(directory, isLittle);
  for (let entry = 0; entry < count && found.size < 2; entry += 1) {
    const at = directory + 2 + 12 * entry;
    const name = view.getUint16(at, isLittle);
    const isShort = view.getUint16(at + 2, isLittle) === 3;
    const value = isShort ? view.getUint16(at + 8, isLittle) : view.getUint32(at + 8, isLittle);
    if (name === TIFF_WIDTH || name === TIFF_HEIGHT) found.set(name, value);
  }
  return { width: found.get(TIFF_WIDTH) ?? 0, height: found.get(TIFF_HEIGHT) ?? 0 };
}

const TIFF_WIDTH = 0x100;
const TIFF_HEIGHT = 0x101;

/** Returns the largest size in the boxes near the start, because thumbnails and tiles have sizes too. */
function readBoxes(view: DataView): Dimensions | undefined {
  let largest: Dimensions | undefined;
  const end = Math.min(view.byteLength - 16, BOX_BYTES);
  for (let at = 0; at <= end; at += 1) {
    if (view.getUint32(at) !== tag("ispe")) continue;
    const size = { width: view.getUint32(at + 8), height: view.getUint32(at + 12) };
    if (largest === undefined || size.width * size.height > largest.width * largest.height) largest = size;
  }
  return largest;
}

const BOX_BYTES = 64 * 1024;

function tag(name: string): number {
  return [...name].reduce((sum, letter) => ((sum << 8) | letter.charCodeAt(0)) >>> 0, 0);
}

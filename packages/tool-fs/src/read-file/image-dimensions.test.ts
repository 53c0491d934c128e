import { describe, expect, it } from "vitest";
import { measureProcessorTime } from "../../../../tooling/testing/processor-time.js";
import { imageDimensions } from "./image-dimensions.js";

const hex = (text: string) => Buffer.from(text.replaceAll(" ", ""), "hex");
const TYPES = ["png", "gif", "bmp", "x-icon", "jpeg", "webp", "tiff", "avif", "heic"].map(
  (name) => `image/${name}`,
);

describe("imageDimensions", () => {
  it.each([
    ["image/png", "89504e470d0a1a0a 0000000d 49484452 00000003 00000005", 3, 5],
    ["image/gif", "474946383961 0300 0500 00", 3, 5],
    ["image/bmp", "424d 00000000 00000000 36000000 28000000 03000000 fbffffff", 3, 5],
    ["image/x-icon", "0000 0100 0100 03 00 00", 3, 256],
    ["image/jpeg", "ffd8 ffe0 0004 0000 ff ffc2 0011 08 0005 0003 03", 3, 5],
    ["image/webp", "52494646 00000000 57454250 56503858 0a000000 00000000 020000 040000", 3, 5],
    ["image/webp", "52494646 00000000 57454250 5650384c 00000000 2f 02000100", 3, 5],
    ["image/webp", "52494646 00000000 57454250 56503820 00000000 000000 9d012a 0300 0500", 3, 5],
    ["image/tiff", "49492a00 08000000 0200 0001 0300 01000000 03000000 0101 0400 01000000 05000000", 3, 5],
    ["image/tiff", "4d4d002a 00000008 0002 0100 0003 00000001 00030000 0101 0004 00000001 00000005", 3, 5],
    ["image/avif", "00000014 69737065 00000000 00000003 00000005 00000000", 3, 5],
  ])("FR8 reads %s: %s", (mimeType, bytes, width, height) => {
    expect(imageDimensions(hex(bytes), mimeType)).toEqual({ width, height });
  });

  it("FR8 terminates for every header, however damaged: boxes without a size, segments without a length", () => {
    const fills = [0x00, 0xff, 0x01, 0x2a].map((byte) => Buffer.alloc(2_000_000, byte));
    const segments = Buffer.alloc(2_000_000, hex("ffe00000"));
    const heic = Buffer.concat([hex("00000018 66747970 68656963 00000000"), Buffer.alloc(2_000_000)]);
    const usedMs = measureProcessorTime();
    for (const mimeType of TYPES)
      for (const bytes of [...fills, segments, heic, Buffer.concat([hex("ffd8"), segments])])
        for (const length of [0, 1, 7, 20, 40, bytes.length])
          imageDimensions(bytes.subarray(0, length), mimeType);
    expect(usedMs()).toBeLessThan(5_000);
  });
});

import { crc32, deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { realRuntime } from "../../fixtures/real-runtime.js";

describe("read_file on images and other binary files", () => {
  it("S2.READ.6 attaches an image with its dimensions", async () => {
    const png = makePng(640, 480);
    const { succeed } = await realRuntime({ files: { "a.png": png } });
    const { value, text, content } = await succeed("read_file", { path: "a.png" });
    expect(value).toMatchObject({
      kind: "image",
      mimeType: "image/png",
      width: 640,
      height: 480,
      attached: true,
    });
    expect(content).toContainEqual({ type: "image", mimeType: "image/png", data: png.toString("base64") });
    expect(text).toMatch(/^\[image\/png image, 640x480 pixels, .*, attached\]$/);
  });

  it("S2.READ.6 describes the image to a model that accepts no images", async () => {
    const { succeed } = await realRuntime({ acceptsImages: false, files: { "a.png": makePng(2, 3) } });
    const { value, content } = await succeed("read_file", { path: "a.png" });
    expect(value).toMatchObject({ width: 2, height: 3, attached: false });
    expect(content).toHaveLength(1);
  });

  it("detects images by their bytes, under any name", async () => {
    const gif = Buffer.from("R0lGODlhAQABAAAAACw=", "base64");
    const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0]);
    const { succeed } = await realRuntime({
      files: { picture: gif, "broken.jpg": jpeg, "text.png": "hello\n" },
    });
    expect((await succeed("read_file", { path: "picture" })).value).toMatchObject({
      mimeType: "image/gif",
      width: 1,
    });
    const broken = await succeed("read_file", { path: "broken.jpg" });
    expect(broken.value).not.toHaveProperty("width");
    expect(broken.text).toContain("dimensions unknown");
    expect((await succeed("read_file", { path: "text.png" })).text).toBe("1: hello");
  });

  it("reads SVG as text", async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>\n';
    const { succeed } = await realRuntime({ files: { "a.svg": svg } });
    expect((await succeed("read_file", { path: "a.svg" })).value).toMatchObject({
      kind: "text",
      content: svg,
    });
  });

  it("S2.READ.5 refuses other binary files with size, type, first bytes and the call for the bytes", async () => {
    const zip = Buffer.concat([Buffer.from("PK\x03\x04"), Buffer.alloc(2000)]);
    const { fail, succeed } = await realRuntime({ files: { "a.zip": zip, "b.bin": Buffer.alloc(40) } });
    expect(await fail("read_file", { path: "a.zip" })).toMatchObject({
      code: "BINARY_FILE",
      message: "Cannot read as text: a.zip is a binary file (application/zip, 2 KB, 2,004 bytes)",
      details: {
        size: 2004,
        mimeType: "application/zip",
        firstBytes: "50 4b 03 04 00 00 00 00 00 00 00 00 00 00 00 00",
      },
      next: { tool: "read_file", args: { path: "a.zip", encoding: "base64" } },
    });
    expect((await fail("read_file", { path: "b.bin" })).message).toContain(
      "application/octet-stream, 40 bytes",
    );
    expect((await succeed("read_file", { path: "a.zip", encoding: "base64" })).text).toMatch(
      /^a\.zip: 2,004 bytes as base64\nUEsDB/,
    );
  });

  it("describes an image too big to attach; refuses base64 of a big file", async () => {
    const big = Buffer.concat([makePng(9, 9), Buffer.alloc(11 * 1024 * 1024)]);
    const { succeed, fail } = await realRuntime({ files: { "a.png": big } });
    expect((await succeed("read_file", { path: "a.png" })).value).toMatchObject({
      width: 9,
      attached: false,
    });
    expect((await fail("read_file", { path: "a.png", encoding: "base64" })).code).toBe("FILE_TOO_LARGE");
  });

  it("base64 too long for the text is only in the value", async () => {
    const { succeed } = await realRuntime({ files: { "a.bin": Buffer.alloc(100_000) } });
    const { value, text } = await succeed("read_file", { path: "a.bin", encoding: "base64" });
    expect(text).toBe(
      "a.bin: 100,000 bytes as base64, too long to be shown here; the result's value holds it.",
    );
    expect((value as unknown as { content: string }).content).toHaveLength(133_336);
  });
});

function makePng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const rows = Buffer.alloc((width + 1) * height);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

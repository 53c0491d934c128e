import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OutputCapture } from "./output-capture.js";

describe("OutputCapture", () => {
  it("keeps head and tail of any stream however it is split, and counts every byte", () => {
    const chunks = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 30 });
    fc.assert(
      fc.property(
        chunks,
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 50 }),
        (given, headBytes, tailBytes) => {
          // ASCII, so that bytes and characters are the same and can be compared.
          const parts = given.map((part) => Buffer.from(part.map((byte) => 65 + (byte % 26))));
          const whole = Buffer.concat(parts).toString("latin1");
          const capture = new OutputCapture({ headBytes, tailBytes });
          for (const part of parts) capture.push(part);
          const { text, totalBytes, omittedBytes } = capture.result();
          expect(totalBytes).toBe(whole.length);
          if (whole.length <= headBytes + tailBytes) {
            expect({ text, omittedBytes }).toEqual({ text: whole, omittedBytes: 0 });
            return;
          }
          expect(omittedBytes).toBe(whole.length - headBytes - tailBytes);
          expect(text).toBe(
            `${whole.slice(0, headBytes)}\n[… ${omittedBytes} bytes left out …]\n${whole.slice(-tailBytes)}`,
          );
        },
      ),
    );
  });

  it("never splits a character when truncating", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("a", "ä", "€", "😀"), { minLength: 60, maxLength: 120 }),
        (characters) => {
          const bytes = Buffer.from(characters.join(""));
          const capture = new OutputCapture({ headBytes: 13, tailBytes: 17 });
          capture.push(bytes);
          const { text, totalBytes, omittedBytes } = capture.result();
          expect(text).not.toContain("\ufffd");
          const [head = "", tail = ""] = text.split(/\n\[… \d+ bytes left out …\]\n/);
          expect(Buffer.byteLength(head) + Buffer.byteLength(tail) + omittedBytes).toBe(totalBytes);
          expect(Buffer.byteLength(head)).toBeGreaterThan(13 - 4);
          expect(Buffer.byteLength(tail)).toBeGreaterThan(17 - 4);
        },
      ),
    );
  });

  it("shows bytes that are not text as replacement characters", () => {
    const capture = new OutputCapture({ headBytes: 4, tailBytes: 4 });
    capture.push(Buffer.from([0x80, 0x80, 0x80, 0x80, 0x41, 0x41, 0x80, 0x80, 0x80, 0x80]));
    expect(capture.result()).toMatchObject({ totalBytes: 10, text: expect.stringContaining("\ufffd") });
  });
});

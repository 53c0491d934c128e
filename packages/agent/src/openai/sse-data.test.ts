import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sseData } from "./sse-data.js";

describe("server-sent events", () => {
  it("are parsed alike in any chunks and with any line endings", async () => {
    const text = fc.string({ unit: "grapheme", maxLength: 20 }).map((each) => each.replace(/[\r\n]/g, "x"));
    const events = fc.array(fc.array(text, { minLength: 1, maxLength: 3 }), { maxLength: 5 });
    const property = fc.asyncProperty(
      events,
      fc.constantFrom("\n", "\r\n", "\r"),
      fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
      async (given, end, sizes) => {
        const written = given
          .map((lines) => `${lines.map((line) => `data: ${line}`).join(end)}${end}: note${end}${end}`)
          .join("");
        const read: string[] = [];
        for await (const data of sseData(chunksOf(new TextEncoder().encode(written), sizes))) read.push(data);
        expect(read).toEqual(given.map((lines) => lines.join("\n")));
      },
    );
    await fc.assert(property, { numRuns: 200 });
  });

  it("parse a line without an end in linear time", async () => {
    const chunk = new TextEncoder().encode("x".repeat(4_096));
    async function* endless() {
      for (let each = 0; each < 20_000; each += 1) yield chunk;
    }
    const read: string[] = [];
    for await (const data of sseData(endless())) read.push(data);
    expect(read).toEqual([]);
  });
});

async function* chunksOf(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

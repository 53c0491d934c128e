import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeFrame, FrameReader } from "./frames.js";

describe("frames", () => {
  it("arrive complete and in order, however the stream is split", () => {
    const frame = fc.record({ header: fc.jsonValue(), body: fc.uint8Array({ maxLength: 300 }) });
    fc.assert(
      fc.property(
        fc.array(frame, { maxLength: 8 }),
        fc.array(fc.integer({ min: 1, max: 400 })),
        (sent, cuts) => {
          const bytes = Buffer.concat(sent.map(({ header, body }) => encodeFrame(header, body)));
          const reader = new FrameReader();
          const received = chunksOf(bytes, cuts).flatMap((chunk) => reader.push(chunk));
          expect(received.map(({ header }) => JSON.stringify(header))).toEqual(
            sent.map(({ header }) => JSON.stringify(header)),
          );
          expect(received.map(({ body }) => [...body])).toEqual(sent.map(({ body }) => [...body]));
        },
      ),
    );
  });

  it("rejects a frame that claims to be huge before storing it", () => {
    const lengths = Buffer.alloc(8);
    lengths.writeUInt32BE(0xffffffff, 0);
    expect(() => new FrameReader().push(lengths)).toThrow(/frame of 4294967295/);
  });
});

function chunksOf(bytes: Buffer, cuts: readonly number[]): readonly Buffer[] {
  const chunks: Buffer[] = [];
  let at = 0;
  for (const cut of cuts) {
    chunks.push(bytes.subarray(at, at + cut));
    at += cut;
  }
  return [...chunks, bytes.subarray(at)];
}

import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { digestOfParts, rememberStarts, StartedHash } from "./started-hash.js";

const STEP = 256 * 1024;
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

describe("StartedHash", () => {
  it("equals the digest of the whole content in any chunks, also if forked after a common prefix", () => {
    const size = fc.constantFrom(0, 1, STEP - 1, STEP, STEP + 1, 3 * STEP + 17);
    fc.assert(
      fc.property(size, fc.nat(), fc.nat(), fc.uint8Array({ maxLength: 9 }), (length, a, b, put) => {
        const bytes = Uint8Array.from({ length }, (_, index) => (index * 31 + length) & 0xff);
        const [cut = 0, end = 0] = [a, b].map((at) => at % (length + 1)).sort((x, y) => x - y);
        const hash = new StartedHash(length);
        for (const chunk of [bytes.subarray(0, cut), bytes.subarray(cut)]) hash.update(chunk);
        const { digest, starts } = hash.finish();
        expect(digest).toBe(sha256(bytes));
        expect(starts).toHaveLength(Math.floor(length / STEP));
        rememberStarts(bytes, starts);
        // Twice, because the saved state must be reusable.
        for (const parts of [
          [bytes.subarray(0, cut), put, bytes.subarray(end)],
          [bytes.subarray(0, cut), bytes.subarray(end)],
          [bytes.subarray(cut), put],
        ])
          expect(digestOfParts(parts)).toBe(sha256(Buffer.concat(parts)));
      }),
      { numRuns: 60 },
    );
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toBase64 } from "./to-base64.js";

describe("toBase64", () => {
  it("encodes any bytes as Node does", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const part = bytes.subarray(1);
        expect(toBase64(part)).toBe(Buffer.from(part).toString("base64"));
      }),
    );
  });
});

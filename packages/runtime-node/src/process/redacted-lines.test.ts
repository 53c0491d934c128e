import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRedactor } from "../secrets/redactor.js";
import { RedactedLines } from "./redacted-lines.js";

const SECRET = "s3cr3t-ü-value";
const redact = createRedactor([{ name: "KEY", value: SECRET }]);

function through(bytes: Buffer, sizes: readonly number[]): Buffer {
  const lines = new RedactedLines(redact);
  const out: Buffer[] = [];
  for (let at = 0, i = 0; at < bytes.length; i += 1) {
    const size = sizes[i % sizes.length] as number;
    out.push(...lines.push(bytes.subarray(at, at + size)));
    at += size;
  }
  return Buffer.concat([...out, lines.rest()]);
}

describe("RedactedLines", () => {
  it("law: takes a secret out wherever a stream is cut, and leaves all else", () => {
    const line = fc.constantFrom("plain ü", `a ${SECRET} b`, SECRET, "", `${SECRET}${SECRET}`);
    fc.assert(
      fc.property(
        fc.array(line),
        fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }),
        (given, sizes) => {
          const text = given.join("\n");
          expect(through(Buffer.from(text), sizes).toString()).toBe(text.replaceAll(SECRET, "[secret:KEY]"));
        },
      ),
    );
  });

  it("sees a secret in a line without end, at any place", () => {
    for (const before of [0, 65_530, 65_536, 70_000, 131_000]) {
      const text = `${"x".repeat(before)}${SECRET}${"y".repeat(150_000)}`;
      expect(through(Buffer.from(text), [4096]).toString()).toBe(text.replaceAll(SECRET, "[secret:KEY]"));
    }
  });

  it("leaves bytes that are no text as they are", () => {
    const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, i) => (i * 7919) % 256));
    expect(through(bytes, [1000, 77]).equals(bytes)).toBe(true);
  });
});

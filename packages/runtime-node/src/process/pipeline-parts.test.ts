import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ErrorLines } from "./error-lines.js";
import { redirectionTable } from "./redirection-table.js";

describe("redirectionTable", () => {
  it("follows redirections in source order", () => {
    expect(redirectionTable([])).toEqual({ input: "input", out: "out", err: "err" });
    expect(
      redirectionTable([
        { kind: "duplicate", fd: 2, from: 1 },
        { kind: "null", fd: 1 },
      ]),
    ).toEqual({
      input: "input",
      out: "null",
      err: "out",
    });
    expect(
      redirectionTable([
        { kind: "null", fd: 1 },
        { kind: "duplicate", fd: 2, from: 1 },
      ]),
    ).toEqual({
      input: "input",
      out: "null",
      err: "null",
    });
    expect(
      redirectionTable([
        { kind: "read", fd: 0, path: "a" },
        { kind: "duplicate", fd: 1, from: 2 },
      ]),
    ).toEqual({
      input: { file: "a" },
      out: "err",
      err: "err",
    });
  });
});

describe("ErrorLines", () => {
  it("finds the same lines however the stream is split into chunks", () => {
    const text = Array.from({ length: 60 }, (_, i) => (i % 7 === 3 ? `ERROR ü ${i}` : `line ${i}`)).join(
      "\n",
    );
    const bytes = Buffer.from(`${text}\n`);
    const whole = new ErrorLines(20);
    whole.push(bytes);
    const expected = whole.before(bytes.length - 30);
    expect(expected).toContain("ERROR ü 10");
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 }), (sizes) => {
        const cut = new ErrorLines(20);
        for (let at = 0, i = 0; at < bytes.length; i += 1) {
          const size = sizes[i % sizes.length] as number;
          cut.push(bytes.subarray(at, at + size));
          at += size;
        }
        expect(cut.before(bytes.length - 30)).toEqual(expected);
      }),
    );
  });
});

import { redactShapes } from "@haft/text";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRedactor } from "../secrets/redactor.js";
import { RedactedLines } from "./redacted-lines.js";

const TOKEN = "tok_AbC123-xyz";
const SECRET = "s3cr3t-ü-value";
const redact = createRedactor([{ name: "KEY", value: SECRET }]);

function through(bytes: Buffer, sizes: readonly number[]): Buffer {
  const lines = new RedactedLines(redact);
  const out: Buffer[] = [];
  for (let at = 0, i = 0; at < bytes.length; i += 1) {
    const size = sizes[i % sizes.length] as number;
    out.push(lines.push(bytes.subarray(at, at + size)));
    at += size;
  }
  return Buffer.concat([...out, lines.rest()]);
}

describe("RedactedLines", () => {
  it("law: removes a secret however the stream is split, and changes nothing else", () => {
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

  it("finds a secret at any place in a line without end", () => {
    for (const before of [0, 65_530, 65_536, 70_000, 131_000]) {
      const text = `${"x".repeat(before)}${SECRET}${"y".repeat(150_000)}`;
      expect(through(Buffer.from(text), [4096]).toString()).toBe(text.replaceAll(SECRET, "[secret:KEY]"));
    }
  });

  it("shows a question early and the rest of its line once", () => {
    const lines = new RedactedLines(redact);
    expect(lines.push(Buffer.from("done\nContinue? [y/N] ")).toString()).toBe("done\n");
    expect(lines.early()).toBe("Continue? [y/N] ");
    expect(lines.early()).toBe("");
    expect(lines.push(Buffer.from("y")).toString()).toBe("");
    expect(lines.push(Buffer.from("es\nnext ")).toString()).toBe("yes\n");
    expect(lines.early()).toBe("next ");
    expect(lines.rest().toString()).toBe("");
  });

  it("law: early output never contains part of a secret, however often it is read", () => {
    const text = fc.array(fc.constantFrom("plain ", "ü: ", "s3c ", `${TOKEN} `, `${TOKEN}\n`, "\n"));
    const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 });
    const redactToken = createRedactor([{ name: "T", value: TOKEN }]);
    fc.assert(
      fc.property(text, sizes, (given, cuts) => {
        const lines = new RedactedLines(redactToken);
        const bytes = Buffer.from(given.join(""));
        let shown = "";
        for (let at = 0, i = 0; at < bytes.length; i += 1) {
          const size = cuts[i % cuts.length] as number;
          shown += lines.push(bytes.subarray(at, at + size)).toString() + lines.early();
          at += size;
        }
        expect(shown + lines.rest().toString()).toBe(given.join("").replaceAll(TOKEN, "[secret:T]"));
      }),
    );
  });

  it("withholds a password whose address was already shown, and a private key as a whole", () => {
    const lines = new RedactedLines(
      (value) => (typeof value === "string" ? redactShapes(value) : value) as never,
    );
    lines.push(Buffer.from("url postgres://user:"));
    expect(lines.early()).toBe("url postgres://user:");
    lines.push(Buffer.from("hunter2"));
    expect(lines.early()).toBe("");
    expect(lines.push(Buffer.from("@host/db\n")).toString()).toBe("[secret:url]@host/db\n");
    const key = [
      "-----BEGIN RSA PRIVATE KEY-----",
      "QUJD".repeat(16),
      "REVG".repeat(16),
      "-----END RSA PRIVATE KEY-----",
    ];
    let shown = "";
    for (const line of ["before", ...key, "after"])
      shown += lines.push(Buffer.from(`${line}\n`)).toString() + lines.early();
    expect(shown).toBe("before\n[secret:private-key]\nafter\n");
  });

  it("leaves bytes that are not text unchanged", () => {
    const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, i) => (i * 7919) % 256));
    expect(through(bytes, [1000, 77]).equals(bytes)).toBe(true);
  });
});

import { writeFileSync } from "node:fs";
import type { PolicyRequest } from "@haft/core";
import type { FileState } from "@haft/core/workspace";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createsFile, readsFile, writesFile } from "../../test-support/file-tools.js";
import { runtimeFolder } from "../../test-support/runtime-folder.js";
import { placeholderPolicy } from "./placeholder-policy.js";

const CONFIG = "host=a\ntoken=tok-123456789\n";
const folder = runtimeFolder(
  { "app.conf": CONFIG, "doc.md": "write [secret:DEPLOY_TOKEN] here\n" },
  {
    tools: [readsFile, writesFile, createsFile],
    env: { DEPLOY_TOKEN: "tok-123456789" },
    readBeforeWrite: "off",
    approver: async () => ({ approved: true }),
  },
);
const refused = { ok: false, error: { code: "SECRET_PLACEHOLDER" } };

describe("a placeholder for a secret", () => {
  it("is never written over the secret, with any approver", async () => {
    await using runtime = await folder.open();
    const read = await runtime.call("reads_file", { path: "app.conf" });
    const { text } = (read.ok ? read.value : {}) as { text: string };
    expect(text).toContain("[secret:DEPLOY_TOKEN]");
    const changed = text.split("host=a").join("host=b");
    const result = await runtime.call("writes_file", { path: "app.conf", text: changed });
    expect(result).toMatchObject(refused);
    expect(result.text).toContain("leave that part of the file unchanged");
    expect(folder.content("app.conf")).toBe(CONFIG);
    expect(await runtime.call("writes_file", { path: "app.conf", text }, { dryRun: true })).toMatchObject(
      refused,
    );
    expect(await runtime.call("creates_file", { path: "copy.conf", text })).toMatchObject(refused);
  });

  it("may stay where it already was, and is plain text if no such secret is known", async () => {
    await using runtime = await folder.open();
    const kept = { path: "doc.md", text: "do not write [secret:DEPLOY_TOKEN] here\n" };
    expect(await runtime.call("writes_file", kept)).toMatchObject({ ok: true });
    const twice = { path: "doc.md", text: "[secret:DEPLOY_TOKEN] [secret:DEPLOY_TOKEN]\n" };
    expect(await runtime.call("writes_file", twice)).toMatchObject(refused);
    const unknown = { path: "other.md", text: "[secret:OTHER]\n" };
    expect(await runtime.call("writes_file", unknown)).toMatchObject({ ok: true });
  });

  it("is recognized in UTF-16 too", async () => {
    await using runtime = await folder.open();
    const utf16 = Buffer.from("\ufefftoken=tok-123456789\n", "utf16le");
    writeFileSync(`${folder.root}/wide.txt`, utf16);
    const back = { path: "wide.txt", text: "token=[secret:DEPLOY_TOKEN]\n" };
    expect(await runtime.call("writes_file", back)).toMatchObject(refused);
  });
});

describe("a placeholder in a file that shares most of its content with its previous version", () => {
  const names = ["A", "LONGER_TOKEN"];
  const policy = placeholderPolicy(names.map((name) => ({ name, value: "x" })));
  const isDenied = (before: Uint8Array, after: FileState) => {
    const snapshot = { type: "file", hash: "1", size: before.length, mode: 0o644, bytes: before } as const;
    const change = { kind: "modify", path: "f", before: snapshot, after } as const;
    return policy({ changes: [change] } as unknown as PolicyRequest) !== undefined;
  };

  it("is searched for only where something changed, without assembling the file", () => {
    const before = Buffer.from(`[secret:A] ${"x".repeat(100_000)} [secret:A]`);
    const spliced = (...parts: Uint8Array[]): FileState => ({
      type: "file",
      hash: "2",
      parts,
      get bytes(): Uint8Array {
        throw new Error("it was put together");
      },
    });
    const [head, tail] = [before.subarray(0, 50_000), before.subarray(50_001)];
    expect(isDenied(before, spliced(head, Buffer.from("y"), tail))).toBe(false);
    expect(isDenied(before, spliced(head, Buffer.from("[secret:A]"), tail))).toBe(true);
    expect(isDenied(before, spliced(head, Buffer.from("[secret:A]", "utf16le"), tail))).toBe(true);
    expect(isDenied(before, spliced(Buffer.from("[secret:A] "), before.subarray(11)))).toBe(false);
  });

  it("law: gives the same result as searching the whole file", () => {
    const text = fc
      .array(fc.constantFrom("[secret:", "A]", "A", "]", "[secret:A]", "LONGER_TOKEN]", "-".repeat(40)))
      .map((words) => Buffer.from(words.join("")));
    fc.assert(
      fc.property(text, text, fc.nat(), fc.nat(), (before, put, one, other) => {
        const [start = 0, end = 0] = [one, other].map((at) => at % (before.length + 1)).sort((a, b) => a - b);
        const parts = [before.subarray(0, start), put, before.subarray(end)];
        const bytes = Buffer.concat(parts);
        const file = { type: "file", hash: "2" } as const;
        expect(isDenied(before, { ...file, bytes, parts })).toBe(isDenied(before, { ...file, bytes }));
      }),
      { numRuns: 1_000 },
    );
  });
});

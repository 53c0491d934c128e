import { Duplex } from "node:stream";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeFrame } from "./frames.js";
import { NotUnderstood, RemoteEnd, RemoteFailure, RemoteStale } from "./remote-end.js";

const ENTRY = { type: "file", size: 3, modifiedMs: 1_700_000_000_000.5, mode: 0o644, name: "a.txt" };
const LISTED = {
  path: "",
  entries: [ENTRY, { ...ENTRY, name: undefined, raw: "ff" }],
  rules: { exclude: null },
};
const ANSWERS: { op: string; value: object; body?: string }[] = [
  { op: "hello", value: { root: "/w", spellings: ["/w"], newFileMode: 0o644 } },
  { op: "locate", value: { path: "a.txt", dangling: false, missing: [], entry: ENTRY } },
  { op: "entries", value: [ENTRY, null] },
  { op: "many", value: [{ entry: ENTRY, length: 3 }, { entry: null }, {}], body: "abc" },
  { op: "read", value: { path: "sub/a.txt", entry: ENTRY } },
  { op: "open", value: { path: "a.txt", handle: 1, size: 3 } },
  { op: "hash", value: { path: "a.txt", hash: "abc" } },
  { op: "list", value: [LISTED, { failed: "ENOENT" }] },
  {
    op: "snapshot",
    value: { path: "a.txt", snapshot: { type: "file", size: 3, mode: 0o644, hash: "abc", held: true } },
  },
  { op: "settle", value: { applied: true } },
];

describe("answers of the other machine", () => {
  it.each(ANSWERS)("FP6 accepts $op as the remote program sends it", async ({ op, value, body = "" }) => {
    expect(await asked(op, { value }, body)).toMatchObject({ value: JSON.parse(JSON.stringify(value)) });
  });

  it.each(ANSWERS)("FP6 rejects $op in any other shape", async ({ op }) => {
    for (const value of [undefined, null, {}, 5, "x", true, [null, {}], [5]])
      expect(await asked(op, { value })).toBeInstanceOf(NotUnderstood);
  });

  it.each([
    { type: "socket" },
    { size: -1 },
    { size: "9" },
    { size: 1e300 },
    { modifiedMs: null },
    { modifiedMs: 1e300 },
    { mode: "x" },
    { target: {} },
    { name: "" },
    { name: ".." },
    { name: "x/y" },
    { name: 5 },
    { raw: "zz" },
    { raw: "2e2f" },
  ])("FP6 rejects an entry of a folder with %j", async (odd) => {
    expect(await asked("list", { value: [{ path: "", entries: [{ ...ENTRY, ...odd }] }] })).toBeInstanceOf(
      NotUnderstood,
    );
  });

  it.each(["/etc/passwd", "../x", "a/../b", "a//b", 5])("FP6 rejects the path %j", async (path) => {
    expect(await asked("read", { value: { path, entry: ENTRY } })).toBeInstanceOf(NotUnderstood);
  });

  it("FP6 accepts failures as the remote program sends them, and in no other shape", async () => {
    const failed = { code: "ENOENT", path: "a" };
    expect(await asked("read", { failed })).toBeInstanceOf(RemoteFailure);
    expect(await asked("commit", { stale: { path: "a", why: "was changed" } })).toBeInstanceOf(RemoteStale);
    for (const odd of [
      null,
      5,
      {},
      { code: {}, path: "a" },
      { code: "constructor", path: "" },
      { code: "E\u001b[31m", path: "" },
    ])
      expect(await asked("read", { failed: odd })).toBeInstanceOf(NotUnderstood);
    for (const odd of [null, 5, {}])
      expect(await asked("commit", { stale: odd })).toBeInstanceOf(NotUnderstood);
  });

  it("FP6 every request settles, whatever is sent", async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.constantFrom("value", "failed", "stale"), async (sent, key) => {
        expect(await asked("read", { [key]: sent })).toBeInstanceOf(Error);
        expect(await raw("read", sent)).toBeInstanceOf(Error);
      }),
      { numRuns: 50 },
    );
  });
});

const asked = (op: string, answer: object, body = "") =>
  raw(op, { id: 1, ...answer }, { body, timeoutMs: 10_000 });

/** Returns the answer to a request, or its error. */
function raw(
  op: string,
  header: unknown,
  { body = "", timeoutMs = 5 }: { body?: string; timeoutMs?: number } = {},
): Promise<unknown> {
  const channel = new Duplex({
    read: () => {},
    write: (_chunk, _encoding, done) => {
      channel.push(encodeFrame(header, Buffer.from(body)));
      done();
    },
  });
  return new RemoteEnd(channel, timeoutMs).request(op).catch((thrown: unknown) => thrown);
}

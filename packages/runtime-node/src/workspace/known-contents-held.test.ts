import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { KnownContents } from "./known-contents.js";

const stats = statSync(fileURLToPath(import.meta.url), { bigint: true });
const bytes = new Uint8Array([1, 2, 3]);

describe("the cache of read files", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("keeps the hash, and the bytes until the call is done", () => {
    const contents = new KnownContents();
    contents.learn(stats, { hash: "h", bytes, starts: undefined });
    expect(contents.get(stats)).toMatchObject({ hash: "h", bytes });
    contents.release();
    expect(contents.get(stats)).toMatchObject({ hash: "h", bytes: undefined });
  });

  it("releases bytes soon even if no call end is reported", () => {
    const contents = new KnownContents();
    for (let round = 0; round < 2; round++) {
      contents.learn(stats, { hash: "h", bytes, starts: undefined });
      vi.advanceTimersByTime(200);
      contents.learn(stats, { hash: "h", bytes, starts: undefined });
      vi.advanceTimersByTime(200);
      expect(contents.get(stats)?.bytes).toBe(bytes);
      vi.advanceTimersByTime(100);
      expect(contents.get(stats)).toMatchObject({ hash: "h", bytes: undefined });
    }
  });

  it("holds only the bytes of the last file", () => {
    const contents = new KnownContents();
    const other = Object.assign(Object.create(stats), { ino: stats.ino + 1n });
    contents.learn(stats, { hash: "h", bytes, starts: undefined });
    contents.learn(other, { hash: "o", bytes, starts: undefined });
    expect(contents.get(stats)).toMatchObject({ hash: "h", bytes: undefined });
    expect(contents.get(other)).toMatchObject({ hash: "o", bytes });
  });
});

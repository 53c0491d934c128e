import { statSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { type DiskFixture, diskFixture } from "../../../test-support/search-fixture.js";
import { gramQuery } from "../filter/gram-query.js";
import { compilePattern } from "../match/compile-pattern.js";
import { FileIndex, type FileStamp, shareFileIndex } from "./file-index.js";

const open: DiskFixture[] = [];
afterEach(() => {
  for (const fixture of open.splice(0)) fixture.remove();
});

const STAMP: FileStamp = { ino: 7, size: 10, ctimeMs: 1000.5, mtimeMs: 900.25 };
/** All bits set: such a file may hold anything. */
const FULL = { bytes: new Uint8Array(16 + 8192).fill(255), words: new Int32Array(4), at: 0, log: 16 };

function makeIndex(): { index: FileIndex; other: FileIndex } {
  const fixture = diskFixture({});
  open.push(fixture);
  const device = statSync(fixture.root).dev;
  const shared = shareFileIndex(fixture.root) ?? {
    memory: new SharedArrayBuffer(40_000_000),
    device,
    settledMs: 0,
  };
  return { index: new FileIndex(shared), other: new FileIndex(shared) };
}

/** Keeps files until there is no room; their number. */
function fill(index: FileIndex, prefix: string): number {
  for (let count = 0; ; count++) {
    const place = index.find(`${prefix}${count}`);
    index.put(place, STAMP, FULL);
    if (index.recordAt(place) === 0) return count;
  }
}

describe("an index of files", () => {
  it("has one place for each path, and knows what another thread wrote", () => {
    const { index, other } = makeIndex();
    expect(index.find("b.txt")).not.toBe(index.find("a.txt"));
    expect(other.find("a.txt")).toBe(index.find("a.txt"));
    index.put(index.find("a.txt"), STAMP);
    const record = other.recordAt(other.find("a.txt"));
    expect(other.isBinary(record)).toBe(true);
    const now = { ...statSync("."), ...STAMP, dev: index.device };
    expect(other.isUnchanged(record, now as never)).toBe(true);
    for (const change of [{ ino: 8 }, { size: 11 }, { ctimeMs: 1000.75 }, { mtimeMs: 900.5 }, { dev: -1 }])
      expect(other.isUnchanged(record, { ...now, ...change } as never)).toBe(false);
  });

  it("has the grams of a file replaced when it is read again", () => {
    const { index } = makeIndex();
    const grams = gramQuery(compilePattern({ pattern: "needle" }).requirements) ?? [];
    const place = index.find("a.txt");
    index.put(place, STAMP, FULL);
    expect(index.mayMatch(index.recordAt(place), grams)).toBe(true);
    index.put(place, STAMP, { ...FULL, bytes: new Uint8Array(FULL.bytes.length) });
    expect(index.mayMatch(index.recordAt(place), grams)).toBe(false);
  });

  it("stays as it is when a tree is too large for it", () => {
    const { index } = makeIndex();
    const count = fill(index, "a");
    index.tidy();
    for (let file = 0; file < count; file++) expect(index.recordAt(index.find(`a${file}`))).not.toBe(0);
    index.put(index.find("b"), STAMP, FULL);
    index.tidy();
    expect(index.recordAt(index.find("a0"))).not.toBe(0);
    expect(index.recordAt(index.find("b"))).toBe(0);
  });

  it("starts over when it is full of what nobody searches", () => {
    const { index } = makeIndex();
    fill(index, "a");
    index.tidy();
    index.put(index.find("b"), STAMP, FULL);
    index.tidy();
    expect(index.recordAt(index.find("a0"))).toBe(0);
    index.put(index.find("b"), STAMP, FULL);
    expect(index.recordAt(index.find("b"))).not.toBe(0);
  });

  it("starts over when it is full of what files were before", () => {
    const { index } = makeIndex();
    const count = fill(index, "a");
    index.tidy();
    expect(index.recordAt(index.find("a0"))).not.toBe(0);
    index.put(index.find("a0"), STAMP, FULL);
    index.tidy();
    for (let times = 0; times <= count; times++) index.put(index.find("a0"), STAMP, FULL);
    index.tidy();
    for (let times = 0; times < 3; times++) index.put(index.find("b"), STAMP, FULL);
    expect(index.recordAt(index.find("b"))).not.toBe(0);
  });
});

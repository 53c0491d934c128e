import { statSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { type DiskFixture, diskFixture } from "../../../test-support/search-fixture.js";
import { gramQuery } from "../filter/gram-query.js";
import { compilePattern } from "../match/compile-pattern.js";
import { FileIndex, type FileStamp } from "./file-index.js";
import type { KeptBytes } from "./kept-texts.js";
import { shareFileIndex } from "./shared-file-index.js";

const open: DiskFixture[] = [];
afterEach(() => {
  for (const fixture of open.splice(0)) fixture.remove();
});

const STAMP: FileStamp = { ino: 7, size: 10, ctimeMs: 1000.5, mtimeMs: 900.25 };
/** All bits set: such a file may contain anything. */
const FULL = { bytes: new Uint8Array(16 + 8192).fill(255), words: new Int32Array(4), at: 0, log: 16 };

function makeIndex(): { index: FileIndex; other: FileIndex; later: () => FileIndex } {
  const fixture = diskFixture({});
  open.push(fixture);
  const device = statSync(fixture.root).dev;
  const shared = shareFileIndex(fixture.root) ?? {
    memory: new SharedArrayBuffer(70_000_000),
    device,
    settledMs: 0,
  };
  return { index: new FileIndex(shared), other: new FileIndex(shared), later: () => new FileIndex(shared) };
}

/** Keeps files until there is no space. Returns their number. */
function fill(index: FileIndex, prefix: string): number {
  for (let count = 0; ; count++) {
    const place = index.find(`${prefix}${count}`);
    index.put(place, STAMP, { grams: FULL });
    if (index.recordAt(place) === 0) return count;
  }
}

describe("an index of files", () => {
  it("keeps its layout when a thread opens it later", () => {
    const divided = makeIndex();
    divided.index.divide(1);
    const room = fill(divided.index, "a");
    const opened = makeIndex();
    opened.index.divide(1);
    expect(fill(opened.later(), "a")).toBe(room);
    expect(fill(makeIndex().later(), "a")).toBeGreaterThan(room);
  });

  it("has one slot for each path, and sees what another thread wrote", () => {
    const { index, other } = makeIndex();
    expect(index.find("b.txt")).not.toBe(index.find("a.txt"));
    expect(other.find("a.txt")).toBe(index.find("a.txt"));
    index.put(index.find("a.txt"), STAMP, { isBinary: true });
    const record = other.recordAt(other.find("a.txt"));
    expect(other.isBinary(record)).toBe(true);
    const now = { ...statSync("."), ...STAMP, dev: index.device };
    expect(other.isUnchanged(record, now as never)).toBe(true);
    for (const change of [{ ino: 8 }, { size: 11 }, { ctimeMs: 1000.75 }, { mtimeMs: 900.5 }, { dev: -1 }])
      expect(other.isUnchanged(record, { ...now, ...change } as never)).toBe(false);
  });

  it("replaces the grams of a file that is read again", () => {
    const { index } = makeIndex();
    const grams = gramQuery(compilePattern({ pattern: "needle" }).requirements) ?? [];
    const place = index.find("a.txt");
    index.put(place, STAMP, { grams: FULL });
    expect(index.mayMatch(index.recordAt(place), grams)).toBe(true);
    index.put(place, STAMP, { grams: { ...FULL, bytes: new Uint8Array(FULL.bytes.length) } });
    expect(index.mayMatch(index.recordAt(place), grams)).toBe(false);
  });

  it("does not change if a tree is too large for it", () => {
    const { index } = makeIndex();
    const count = fill(index, "a");
    index.tidy();
    for (let file = 0; file < count; file++) expect(index.recordAt(index.find(`a${file}`))).not.toBe(0);
    index.put(index.find("b"), STAMP, { grams: FULL });
    index.tidy();
    expect(index.recordAt(index.find("a0"))).not.toBe(0);
    expect(index.recordAt(index.find("b"))).toBe(0);
  });

  it("starts over if it is full of entries that are not searched", () => {
    const { index } = makeIndex();
    fill(index, "a");
    index.tidy();
    index.put(index.find("b"), STAMP, { grams: FULL });
    index.tidy();
    expect(index.recordAt(index.find("a0"))).toBe(0);
    index.put(index.find("b"), STAMP, { grams: FULL });
    expect(index.recordAt(index.find("b"))).not.toBe(0);
  });

  it("keeps its entries if the texts of a tree do not fit, and starts over if most are outdated", () => {
    const { index } = makeIndex();
    const text = new Uint8Array(60_000).fill(97);
    const put = (path: string) => {
      const kept = index.texts.keep(text);
      if (kept) index.put(index.find(path), STAMP, { text: kept });
      return kept !== undefined;
    };
    let count = 0;
    while (put(`a${count}`)) count++;
    index.tidy();
    expect(index.hasText(index.recordAt(index.find("a0")))).toBe(true);
    for (let file = 0; file < count; file++) index.put(index.find(`a${file}`), STAMP, { grams: FULL });
    expect(put("b")).toBe(false);
    index.tidy();
    expect(put("b")).toBe(true);
  });

  it("keeps more texts of a small tree than of a large one, and starts over if the tree turns out to be large", () => {
    const { index, other } = makeIndex();
    const text = new Uint8Array(60_000).fill(97);
    const keepAll = () => {
      let count = 0;
      while (index.texts.keep(text)) count++;
      return count;
    };
    const ofUnknown = keepAll();
    index.divide(5_000);
    const ofSmall = ofUnknown + keepAll();
    expect(ofSmall).toBeGreaterThan(ofUnknown * 1.5);
    index.put(index.find("a"), STAMP, { isBinary: true });
    other.divide(5_000);
    expect(index.recordAt(index.find("a"))).not.toBe(0);
    other.divide(40_000);
    expect(index.recordAt(index.find("a"))).toBe(0);
    expect(keepAll()).toBe(ofUnknown);
  });

  it("never lets records and texts overlap, whatever the layout", () => {
    const { index } = makeIndex();
    const text = new Uint8Array(60_000).fill(97);
    index.divide(1_000_000);
    const count = fill(index, "a");
    index.divide(500);
    const kept: KeptBytes[] = [];
    for (let one = index.texts.keep(text); one; one = index.texts.keep(text)) kept.push(one);
    const last = index.recordAt(index.find(`a${count - 1}`));
    expect(kept.at(-1)?.at).toBeGreaterThanOrEqual(last + 56 + 16 + 8192);
    expect(index.mayMatch(last, [])).toBe(true);
  });

  it("starts over if it is full of outdated entries", () => {
    const { index } = makeIndex();
    const count = fill(index, "a");
    index.tidy();
    expect(index.recordAt(index.find("a0"))).not.toBe(0);
    index.put(index.find("a0"), STAMP, { grams: FULL });
    index.tidy();
    for (let times = 0; times <= count; times++) index.put(index.find("a0"), STAMP, { grams: FULL });
    index.tidy();
    for (let times = 0; times < 3; times++) index.put(index.find("b"), STAMP, { grams: FULL });
    expect(index.recordAt(index.find("b"))).not.toBe(0);
  });
});

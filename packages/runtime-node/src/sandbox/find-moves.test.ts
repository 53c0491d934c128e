import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { DraftChange, DraftFile } from "./draft-change.js";
import { findMoves } from "./find-moves.js";

let root: string;
let view: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "haft-moves-")));
  view = realpathSync(mkdtempSync(join(tmpdir(), "haft-moves-view-")));
});
afterEach(() => {
  for (const folder of [root, view]) rmSync(folder, { recursive: true, force: true });
});

function numbered(count: number, change: (index: number) => DraftChange): readonly DraftChange[] {
  return Array.from({ length: count }, (_, index) => change(index));
}

const MOMENT = new Date(1_700_000_000_000);

function write(folder: string, path: string, text: string): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { mode: 0o600 });
  utimesSync(file, MOMENT, MOMENT);
}

function file(path: string, text: string): DraftFile {
  write(view, path, text);
  return { kind: "file", path, size: text.length, mode: 0o600, modifiedMs: MOMENT.getTime() };
}

it("FE20 finds 2,000 renamed files among as many of the same size", () => {
  for (let index = 0; index < 2_000; index += 1) write(root, `old/${index}`, `${10_000 + index}`);
  const changes = [
    { kind: "delete", path: "old" } as const,
    { kind: "directory", path: "new" } as const,
    file("new/more", "more"),
    ...numbered(2_000, (index) => file(`new/${index}`, `${10_000 + index}`)),
  ];
  const moves = findMoves({ root, view }, changes).filter(({ kind }) => kind === "move");
  expect(moves).toHaveLength(2_000);
  expect(moves).toContainEqual({ kind: "move", from: "old/1234", path: "new/1234" });
}, 60_000);

it("FE20 stops looking for renamed files if many are deleted and others of the same size are new", () => {
  for (let index = 0; index < 5_000; index += 1) write(root, `old/${index}`, "a");
  const changes = [
    { kind: "delete", path: "old" } as const,
    ...numbered(2_000, (index) => file(`new-${index}`, "b")),
  ];
  // Ten million comparisons would take minutes.
  expect(findMoves({ root, view }, changes)).toEqual(changes);
}, 60_000);

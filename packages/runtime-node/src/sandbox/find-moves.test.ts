import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SandboxChange } from "@haft/core/capabilities";
import { afterEach, beforeEach, expect, it } from "vitest";
import { findMoves } from "./find-moves.js";

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "haft-moves-")));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function numbered(count: number, change: (index: number) => SandboxChange): readonly SandboxChange[] {
  return Array.from({ length: count }, (_, index) => change(index));
}

const file = (path: string, text: string): SandboxChange => ({
  kind: "file",
  path,
  bytes: Buffer.from(text),
  mode: 0o600,
});

it("FE20 finds 2,000 renamed files among as many of the same size", () => {
  mkdirSync(join(root, "old"));
  for (let index = 0; index < 2_000; index += 1)
    writeFileSync(join(root, `old/${index}`), `${10_000 + index}`, { mode: 0o600 });
  const changes = [
    { kind: "delete", path: "old" } as const,
    { kind: "directory", path: "new" } as const,
    file("new/more", "more"),
    ...numbered(2_000, (index) => file(`new/${index}`, `${10_000 + index}`)),
  ];
  const moves = findMoves(root, changes).filter(({ kind }) => kind === "move");
  expect(moves).toHaveLength(2_000);
  expect(moves).toContainEqual({ kind: "move", from: "old/1234", path: "new/1234" });
}, 60_000);

it("FE20 stops looking for renamed files if many are deleted and others of the same size are new", () => {
  mkdirSync(join(root, "old"));
  for (let index = 0; index < 5_000; index += 1)
    writeFileSync(join(root, `old/${index}`), "a", { mode: 0o600 });
  const changes = [
    { kind: "delete", path: "old" } as const,
    ...numbered(2_000, (index) => file(`new-${index}`, "b")),
  ];
  // Ten million comparisons would take minutes.
  expect(findMoves(root, changes)).toEqual(changes);
}, 60_000);

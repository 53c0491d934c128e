// Changes files as may happen between two searches, including changes that try to leave no trace.
import {
  appendFileSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { pick, type Random, randomContent } from "./random-tree.js";
import type { FixtureFiles } from "./search-fixture.js";

/** In seconds: a modification time that a change can restore. */
export const LONG_AGO = 1_000_000;

export interface ChangingTree {
  readonly root: string;
  /** Paths that may be changed, or recreated after a deletion. */
  readonly names: readonly string[];
}

export function changeSomething({ root, names }: ChangingTree, random: Random): void {
  const [path, other] = [join(root, pick(random, names)), join(root, pick(random, names))];
  const changes: (() => void)[] = [
    () => writeFileSync(path, randomContent(random)),
    () => renameSync(other, path),
    () => rmSync(path, { force: true }),
    () => truncateSync(path, random(20)),
    () => appendFileSync(path, pick(random, ["foo\n", "TODO", "\0", "end 42\n"])),
    () => {
      rmSync(path, { force: true });
      linkSync(other, path);
    },
    () => editWithoutTrace(path),
    () => editWithoutTrace(path),
  ];
  try {
    mkdirSync(dirname(path), { recursive: true });
    pick(random, changes)();
  } catch {
    // Its source does not exist, so nothing changes.
  }
}

/** The same size and the same time, other words. */
function editWithoutTrace(path: string): void {
  writeFileSync(
    path,
    readFileSync(path).map((byte) => SWAPPED.get(byte) ?? byte),
  );
  utimesSync(path, LONG_AGO, LONG_AGO);
}

// Swaps f and b, o and a, T and d.
const SWAPPED: ReadonlyMap<number, number> = new Map([
  [0x66, 0x62],
  [0x62, 0x66],
  [0x6f, 0x61],
  [0x61, 0x6f],
  [0x54, 0x64],
  [0x64, 0x54],
]);

/** The current content of the existing paths. */
export function readTree({ root, names }: ChangingTree): FixtureFiles {
  return Object.fromEntries(
    names.flatMap((name) => {
      try {
        return [[name, new Uint8Array(readFileSync(join(root, name)))]];
      } catch {
        return [];
      }
    }),
  );
}

import { expect, test } from "vitest";
import { PathHash } from "./path-hash.js";

test("a path has the same hash whichever path came before it", () => {
  const paths = [
    "a.ts",
    "src/a.ts",
    "src/b.ts",
    "src/deep/a.ts",
    "src/a.ts",
    "srcs/a.ts",
    "b.ts",
    "src/é.ts",
  ];
  const shared = new PathHash();
  const hashes = paths.map((path) => shared.of(path));
  expect(hashes).toEqual(paths.map((path) => new PathHash().of(path)));
  expect(new Set(hashes).size).toBe(paths.length - 1);
});

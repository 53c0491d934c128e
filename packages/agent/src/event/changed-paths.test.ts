import { expect, it } from "vitest";
import { changedPaths } from "./changed-paths.js";

it("counts files, and a folder only if it has no listed file", () => {
  expect(changedPaths(new Set(["a", "a/b", "a/b/c.txt", "ab", "empty"]))).toEqual([
    "a/b/c.txt",
    "ab",
    "empty",
  ]);
});

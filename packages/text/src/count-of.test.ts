import { expect, it } from "vitest";
import { countOf } from "./count-of.js";

it.each([
  [1, "file", "1 file"],
  [1204, "file", "1,204 files"],
  [2, "match", "2 matches"],
  [3, "entry", "3 entries"],
  [2, "key", "2 keys"],
])("formats %i %s as %s", (count, noun, text) => {
  expect(countOf(count, noun)).toBe(text);
});

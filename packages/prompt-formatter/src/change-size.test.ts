import { expect, it } from "vitest";
import { changeSize, describeSize } from "./change-size.js";

const diff = "--- a/f\n+++ b/f\n@@ -1,1 +1,2 @@\n-one\n+two\n+three\n";

it.each([
  [[{ kind: "modify", path: "f", diff }], "1 file, +2 −1 lines"],
  [[{ kind: "delete", path: "d", entries: 302 }], "1 folder with 302 entries"],
  [[{ kind: "delete", path: "d", entries: 1 }], "1 folder with 1 entry"],
  [[{ kind: "delete", path: "d", entries: 0 }], "1 folder with 0 entries"],
  [
    [
      { kind: "delete", path: "d", entries: 2_000 },
      { kind: "modify", path: "f", diff },
    ],
    "1 folder with 2,000 entries, 1 file, +2 −1 lines",
  ],
] as const)("FE7 states the size of %j", (changes, size) => {
  expect(describeSize(changeSize(changes))).toBe(size);
});

import { afterAll, describe, expect, it } from "vitest";
import { randomNumbers, type Tree } from "./generated-history.fixture.js";
import { GitApply } from "./git-apply.fixture.js";
import { patchTree } from "./patched-tree.fixture.js";

const git = new GitApply();
afterAll(() => git.remove());

const tree = (text: string): Tree => new Map([["f", { text, isExecutable: false }]]);
const diff = (...hunks: readonly string[]) =>
  `--- a/f\n+++ b/f\n${hunks.map((hunk) => `${hunk}\n`).join("")}`;
const FILE = "a\nb\nc\nd\n";
const REPLACE = "@@ -1,2 +1,2 @@\n-a\n-b\n+x\n+y";

describe("FA1 a hunk without context is inserted at its stated line", () => {
  it.each([
    ["between the new lines of an earlier hunk", [REPLACE, "@@ -3,0 +2 @@\n+i"], "x\ni\ny\nc\nd\n"],
    ["above the new lines of an earlier hunk", [REPLACE, "@@ -3,0 +0,2 @@\n+i\n+j"], "i\nj\nx\ny\nc\nd\n"],
    ["below the new lines of an earlier hunk", [REPLACE, "@@ -3,0 +3 @@\n+i"], "x\ny\ni\nc\nd\n"],
    ["above an earlier insertion", ["@@ -1,0 +2,2 @@\n+x\n+y", "@@ -1,0 +2 @@\n+i"], "a\ni\nx\ny\nb\nc\nd\n"],
    ["above all others", ["@@ -0,0 +1 @@\n+x", "@@ -0,0 +1 @@\n+i"], "i\nx\na\nb\nc\nd\n"],
    ["where lines were removed", ["@@ -2,2 +1,0 @@\n-b\n-c", "@@ -3,0 +2 @@\n+i"], "a\ni\nd\n"],
  ])("%s", async (_title, hunks, text) => {
    const patch = diff(...hunks);
    const after = { files: { f: { text, isExecutable: false } } };
    expect(git.apply(tree(FILE), patch, true)).toEqual(after);
    expect(await patchTree(tree(FILE), patch)).toEqual(after);
  });

  it("at any line", async () => {
    const random = randomNumbers(Number(process.env.HAFT_PATCH_SEED ?? 12));
    for (let run = 0; run < 25; run += 1) {
      const hunks = [
        REPLACE,
        ...Array.from({ length: 1 + random(4) }, (_, index) => insertion(random, index)),
      ];
      const patch = diff(...hunks);
      expect(await patchTree(tree(FILE), patch), patch).toEqual(git.apply(tree(FILE), patch, true));
    }
  }, 120_000);
});

/** At an existing line: git appends beyond the end, which apply_patch refuses. */
function insertion(random: (below: number) => number, index: number): string {
  const count = 1 + random(3);
  const lines = Array.from({ length: count }, (_, line) => `+${index}.${line}`);
  return [`@@ -${1 + random(4)},0 +${random(5 + index)},${count} @@`, ...lines].join("\n");
}

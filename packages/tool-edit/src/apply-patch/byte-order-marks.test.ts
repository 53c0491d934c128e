import { afterAll, describe, expect, it } from "vitest";
import type { Tree } from "./generated-history.fixture.js";
import { GitApply } from "./git-apply.fixture.js";
import { patchTree } from "./patched-tree.fixture.js";

const MARK = "\u{FEFF}";
const git = new GitApply();
afterAll(() => git.remove());

const tree = (text: string): Tree => new Map([["a.txt", { text, isExecutable: false }]]);
const diff = (...body: readonly string[]) =>
  `--- a/a.txt\n+++ b/a.txt\n${body.map((line) => `${line}\n`).join("")}`;

describe("FA1 FA2 a byte order mark is a part of the first line of a patch, as in git", () => {
  it.each([
    ["as context", diff("@@ -1,2 +1,2 @@", ` ${MARK}one`, "-two", "+TWO")],
    ["in a changed line", diff("@@ -1,2 +1,2 @@", `-${MARK}one`, `+${MARK}ONE`, " two")],
    ["removed", diff("@@ -1,2 +1,2 @@", `-${MARK}one`, "+one", " two")],
    ["moved down", diff("@@ -1,2 +1,3 @@", "+zero", ` ${MARK}one`, " two")],
    [
      "with a new mode",
      `diff --git a/a.txt b/a.txt\nold mode 100644\nnew mode 100755\n${diff("@@ -1,2 +1,2 @@", ` ${MARK}one`, "-two", "+TWO")}`,
    ],
    [
      "with a new name",
      `diff --git a/a.txt b/b.txt\nrename from a.txt\nrename to b.txt\n--- a/a.txt\n+++ b/b.txt\n@@ -1,2 +1,2 @@\n ${MARK}one\n-two\n+TWO\n`,
    ],
    [
      "in a copy",
      `diff --git a/a.txt b/b.txt\ncopy from a.txt\ncopy to b.txt\n--- a/a.txt\n+++ b/b.txt\n@@ -1,2 +1,2 @@\n-${MARK}one\n+one\n two\n`,
    ],
    [
      "in a deleted file",
      `diff --git a/a.txt b/a.txt\ndeleted file mode 100644\n--- a/a.txt\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-${MARK}one\n-two\n`,
    ],
  ])("%s", async (_title, patch) => {
    const before = tree(`${MARK}one\ntwo\n`);
    const expected = git.apply(before, patch, false);
    expect(expected).toHaveProperty("files");
    expect(await patchTree(before, patch)).toEqual(expected);
  });

  it.each([
    ["added to a file without one", "one\ntwo\n", diff("@@ -1,2 +1,2 @@", "-one", `+${MARK}one`, " two")],
    [
      "the only text of a file",
      MARK,
      diff("@@ -1 +1 @@", `-${MARK}`, "\\ No newline at end of file", "+one"),
    ],
    ["in a new file", undefined, `--- /dev/null\n+++ b/b.txt\n@@ -0,0 +1 @@\n+${MARK}one\n`],
  ])("%s", async (_title, text, patch) => {
    const before: Tree = text === undefined ? new Map() : tree(text);
    const expected = git.apply(before, patch, false);
    expect(expected).toHaveProperty("files");
    expect(await patchTree(before, patch)).toEqual(expected);
  });

  it.each([
    ["changes the file", diff("@@ -0,0 +1 @@", "+zero")],
    [
      "renames it",
      "diff --git a/a.txt b/b.txt\nrename from a.txt\nrename to b.txt\n--- a/a.txt\n+++ b/b.txt\n@@ -0,0 +1 @@\n+zero\n",
    ],
    ["changes several places", diff("@@ -0,0 +1 @@", "+zero", "@@ -2 +3 @@", "-two", "+TWO")],
  ])("goes down where a patch without context inserts lines above it and %s", async (_title, patch) => {
    const before = tree(`${MARK}one\ntwo\n`);
    const expected = git.apply(before, patch, true);
    expect(expected).toHaveProperty("files");
    expect(await patchTree(before, patch)).toEqual(expected);
  });

  it("keeps it if the patch, as models write it, omits it", async () => {
    const patched = await patchTree(
      tree(`${MARK}one\ntwo\n`),
      diff("@@ -1,2 +1,2 @@", "-one", "+ONE", " two"),
    );
    expect(patched).toEqual({ files: Object.fromEntries(tree(`${MARK}ONE\ntwo\n`)) });
  });

  it.each([
    ["kept", `-${MARK}one\n+${MARK}ONE`, `${MARK}ONE\ntwo\n`],
    ["removed", `-${MARK}one\n+ONE`, "ONE\ntwo\n"],
    ["as context", ` ${MARK}one\n-two\n+TWO`, `${MARK}one\nTWO\n`],
    ["not named", "-one\n+ONE", `${MARK}ONE\ntwo\n`],
  ])("%s in a *** Begin Patch block", async (_title, lines, text) => {
    const patch = `*** Begin Patch\n*** Update File: a.txt\n@@\n${lines}\n*** End Patch`;
    expect(await patchTree(tree(`${MARK}one\ntwo\n`), patch)).toEqual({
      files: Object.fromEntries(tree(text)),
    });
  });
});

import { describe, expect, it } from "vitest";
import { editRuntime } from "../testing.fixture.js";

const FILES = { "a.txt": "one\ntwo\nthree\n", "b.txt": "x\n" };

const apply = async (patch: string, files: Record<string, string> = FILES) => {
  const { runtime } = editRuntime(files);
  const result = await runtime.call("apply_patch", { patch });
  const after = await runtime.workspaceFiles();
  if (!result.ok) expect(after).toEqual(files);
  return result.ok ? after : `${result.error.code}: ${result.error.message}`;
};

const HUNK = "@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n";
const DIFF = `--- a/a.txt\n+++ b/a.txt\n${HUNK}`;
const OTHER = "--- a/b.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-x\n+y\n";
const UPDATE = "*** Update File: a.txt\n@@\n one\n-two\n+2\n";
const BLOCK = `*** Begin Patch\n${UPDATE}*** End Patch\n`;

describe("FA1 apply_patch refuses a line that it does not understand, and names it", () => {
  it.each([
    ["text after *** End Patch", `${BLOCK}*** Update File: b.txt\n@@\n-x\n+y\n`, 8],
    ["a second block", BLOCK + BLOCK, 8],
    ["text before *** Begin Patch", `Here it is:\n${BLOCK}`, 1],
    ["a body under *** Delete File", "*** Begin Patch\n*** Delete File: b.txt\n-x\n*** End Patch\n", 3],
    ["a hunk after a blank line", `${DIFF}\n@@ -3 +3 @@\n-three\n+3\n`, 9],
    ["a hunk after an unknown line", `${DIFF}and then\n@@ -3 +3 @@\n-three\n+3\n`, 8],
    ["an unknown line between two files", `${DIFF}and then\n${OTHER}`, 8],
    ["an unknown line at the end", `${DIFF}that is all\n`, 8],
    [
      "lines beyond too small counts",
      "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n three\n",
      7,
    ],
    ["an added line beyond the counts", `${DIFF}+four\n`, 8],
    ["a removed line that looks like a signature", `${DIFF}-- \n`, 8],
    [
      "too large counts",
      `--- a/a.txt\n+++ b/a.txt\n@@ -1,4 +1,4 @@\n${HUNK.split("\n").slice(1).join("\n")}diff --git a/b.txt b/b.txt\n${OTHER}`,
      8,
    ],
    ["a missing +++ line", `--- a/a.txt\n${HUNK}`, 2],
    ["a missing +++ line under a git header", `diff --git a/a.txt b/a.txt\n--- a/a.txt\n${HUNK}`, 1],
    ["a missing --- line", `+++ b/a.txt\n${HUNK}`, 1],
    ["a hunk without a file", HUNK, 1],
    ["a hunk that changes nothing", "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n two\n", 3],
    [
      "the diff of a merge",
      "diff --cc a.txt\n--- a/a.txt\n+++ b/a.txt\n@@@ -1,1 -1,1 +1,1 @@@\n--one\n++1\n",
      1,
    ],
    [
      "/dev/null above the line that says that the file is deleted",
      "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ /dev/null\ndeleted file mode 100644\n@@ -1,3 +0,0 @@\n-one\n-two\n-three\n",
      3,
    ],
    [
      "/dev/null above the line that says that the file is new",
      "diff --git a/n b/n\n--- /dev/null\nnew file mode 100644\n+++ b/n\n@@ -0,0 +1 @@\n+x\n",
      2,
    ],
    ["a binary file", `${DIFF}Binary files a/p.png and b/p.png differ\n`, 8],
    [
      "properties of Subversion",
      `${DIFF}\nProperty changes on: a.txt\n____\nAdded: svn:executable\n## -0,0 +1 ##\n+*\n`,
      9,
    ],
  ])("%s", async (_title, patch, line) => {
    expect(await apply(patch)).toMatch(new RegExp(`^INVALID_PATCH: .*\\(line ${line} of the patch\\)`));
  });

  it("refuses to delete a file that has other lines than the patch removes", async () => {
    expect(await apply("--- a/a.txt\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-one\n-two\n")).toMatch(/^PATCH_FAILED/);
  });

  it("refuses fuzz: context that differs, and a change without context that is not at the end", async () => {
    expect(await apply(DIFF.replace(" one", " One"))).toMatch(/^PATCH_FAILED/);
    expect(await apply(DIFF.replace(" one", "  one"))).toMatch(/^PATCH_FAILED/);
    expect(await apply("--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n")).toMatch(
      /its lines are at line 1, but a hunk that ends without a context line must reach the end/,
    );
  });
});

describe("FA1 apply_patch skips the text that tools put around a diff", () => {
  const GIT = `diff --git a/a.txt b/a.txt\nindex 1111111..2222222 100644\n${DIFF}`;
  const MAIL = `From ${"a".repeat(40)} Mon Sep 17 00:00:00 2001\nFrom: A <a@example.com>\nDate: Mon, 1 Jan 2024 00:00:00 +0000\nSubject: [PATCH] Count\n\n- why\n+ how\n---\n a.txt | 2 +-\n 1 file changed, 1 insertion(+), 1 deletion(-)\n\n${GIT}-- \n2.39.5\n\n`;
  it.each([
    ["a mail of git format-patch", MAIL],
    [
      "git show",
      `commit ${"b".repeat(40)}\nAuthor: A <a@example.com>\nDate:   Mon Jan 1 2024\n\n    Count\n\n    - why\n\n${GIT}`,
    ],
    [
      "svn diff",
      `Index: a.txt\n${"=".repeat(67)}\n--- a.txt\t(revision 1)\n+++ a.txt\t(working copy)\n${HUNK}`,
    ],
    [
      "diff -ru",
      `Only in old: c.txt\ndiff -ru old/a.txt new/a.txt\n--- old/a.txt\t2024-01-01 00:00:00.000000000 +0000\n+++ new/a.txt\t2024-01-02 00:00:00.000000000 +0000\n${HUNK}`,
    ],
    ["the signature of a mail without the mail", `${GIT}-- \n2.39.5\n\n`],
    ["an index line without a git header", `index 1111111..2222222 100755\n${DIFF}`],
    ["a sentence above it", `This changes the second line.\n\n${DIFF}`],
    ["a Markdown fence", `\`\`\`diff\n${DIFF}\`\`\`\n`],
    ["a heredoc", `git apply <<'EOF'\n${DIFF}EOF\n`],
  ])("%s", async (_title, patch) => {
    expect(await apply(patch)).toEqual({ ...FILES, "a.txt": "one\n2\nthree\n" });
  });

  it("git header lines after a file that repeat the --- and +++ lines", async () => {
    const lines = "new file mode 100644\nindex 0000000..2222222\n";
    const created = `${DIFF}${lines}--- /dev/null\n+++ b/c.txt\n@@ -0,0 +1 @@\n+c\n-- \n2.39.5\n`;
    expect(await apply(created)).toEqual({ ...FILES, "a.txt": "one\n2\nthree\n", "c.txt": "c\n" });
    expect(await apply(created.replace("100644", "100755"))).toMatch(
      /^INVALID_PATCH: .*\(line 8 of the patch\)/,
    );
  });

  it("applies several mails", async () => {
    const second = MAIL.replace(GIT, OTHER);
    expect(await apply(MAIL + second)).toEqual({ "a.txt": "one\n2\nthree\n", "b.txt": "y\n" });
  });
});

describe("FA2 apply_patch accepts what git, GNU patch and codex accept", () => {
  const CLASS = "class T {\n  a() {\n    x();\n  }\n  b() {\n    x();\n  }\n}\n";
  it.each([
    [
      "an anchor that is repeated",
      "@@ class T {\n-    x();\n+    y();\n@@ class T {\n-    x();\n+    z();\n",
      "y",
      "z",
    ],
    ["line numbers in a block", "@@ -5,2 +5,2 @@\n-    x();\n+    y();\n", "x", "y"],
    [
      "blank lines between hunks",
      "@@\n   a() {\n-    x();\n+    y();\n\n@@\n   b() {\n-    x();\n+    z();\n\n",
      "y",
      "z",
    ],
  ])("%s", async (_title, hunks, first, second) => {
    const patch = `*** Begin Patch\n*** Update File: t.ts\n${hunks}*** End Patch`;
    expect(await apply(patch, { "t.ts": CLASS })).toEqual({
      "t.ts": `class T {\n  a() {\n    ${first}();\n  }\n  b() {\n    ${second}();\n  }\n}\n`,
    });
  });

  it.each([
    [
      "indented markers",
      "  *** Begin Patch\n  *** Delete File: b.txt\n  *** Update File: a.txt\n@@\n-two\n+2\n*** End Patch  \n",
    ],
    ["a heredoc", `<<'EOF'\n*** Begin Patch\n*** Delete File: b.txt\n${UPDATE}*** End Patch\nEOF\n`],
  ])("%s", async (_title, patch) => {
    expect(await apply(patch)).toEqual({ "a.txt": "one\n2\nthree\n" });
  });

  it("hunks out of order", async () => {
    const lines = Array.from({ length: 20 }, (_, index) => `l${index + 1}`);
    const hunk = (at: number) =>
      `@@ -${at - 1},3 +${at - 1},3 @@\n l${at - 1}\n-l${at}\n+L${at}\n l${at + 1}\n`;
    const after = await apply(`--- a/f\n+++ b/f\n${hunk(15)}${hunk(5)}`, { f: `${lines.join("\n")}\n` });
    expect(after).toEqual({ f: `${lines.join("\n").replace("l15", "L15").replace("l5\n", "L5\n")}\n` });
  });

  it.each([
    [
      "diff -N",
      "--- old/n.txt\t1970-01-01 00:00:00.000000000 +0000\n+++ new/n.txt\t2024-01-01 00:00:00.000000000 +0000\n",
    ],
    [
      "/dev/null with a time",
      "--- /dev/null\t2024-01-01 00:00:00.000000000 +0000\n+++ b/n.txt\t2024-01-01 00:00:00.000000000 +0000\n",
    ],
    ["no times at all", "--- a/n.txt\n+++ b/n.txt\n"],
  ])("a new file, as %s", async (_title, header) => {
    expect(await apply(`${header}@@ -0,0 +1 @@\n+new\n`)).toEqual({ ...FILES, "n.txt": "new\n" });
  });

  it.each([
    ["a.txt.orig", "a.txt"],
    ["a.txt", "a.txt.new"],
    ["a.txt~", "a.txt"],
    ["old/a.txt.orig", "new/a.txt"],
  ])("the names %s and %s", async (before, after) => {
    expect(await apply(`--- ${before}\n+++ ${after}\n${HUNK}`)).toEqual({
      ...FILES,
      "a.txt": "one\n2\nthree\n",
    });
  });

  it("a deletion as diff -N writes it", async () => {
    const patch =
      "--- old/b.txt\t2024-01-01 00:00:00.000000000 +0000\n+++ new/b.txt\t1970-01-01 01:00:00.000000000 +0100\n@@ -1 +0,0 @@\n-x\n";
    expect(await apply(patch)).toEqual({ "a.txt": FILES["a.txt"] });
  });

  it("files that swap their names", async () => {
    const rename = (from: string, to: string) =>
      `diff --git a/${from} b/${to}\nsimilarity index 100%\nrename from ${from}\nrename to ${to}\n`;
    expect(await apply(rename("a.txt", "b.txt") + rename("b.txt", "a.txt"))).toEqual({
      "a.txt": FILES["b.txt"],
      "b.txt": FILES["a.txt"],
    });
  });
});

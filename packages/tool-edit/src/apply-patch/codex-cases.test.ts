import { describe, expect, it } from "vitest";
import { patchTree } from "./patched-tree.fixture.js";

type Texts = Readonly<Record<string, string>>;

/** Files by their text after a patch, or "refused". */
async function apply(before: Texts, patch: string): Promise<Texts | "refused"> {
  const tree = new Map(Object.entries(before).map(([path, text]) => [path, { text, isExecutable: false }]));
  const outcome = await patchTree(tree, patch);
  if ("refused" in outcome) return "refused";
  return Object.fromEntries(Object.entries(outcome.files).map(([path, { text }]) => [path, text]));
}

const block = (body: string) => `*** Begin Patch\n${body}*** End Patch\n`;
const update = (hunks: string) => block(`*** Update File: f\n${hunks}`);
const FIVE = "a\nb\nc\nd\ne\n";
const CALLS = "def f():\n    x = 1\n\ndef g():\n    x = 1\n";

// The results are those of codex's apply_patch with line endings preserved, noted down case by case.
describe("FA2 apply_patch answers hunks of a marked patch as codex does", () => {
  it.each<[title: string, before: string, hunks: string, after: string]>([
    ["replaces a line", FIVE, "@@\n-c\n+C\n", "a\nb\nC\nd\ne\n"],
    ["without an @@ line", FIVE, " b\n-c\n+C\n", "a\nb\nC\nd\ne\n"],
    ["removes a line", FIVE, "@@\n-c\n", "a\nb\nd\ne\n"],
    ["removes the first line", FIVE, "@@\n-a\n", "b\nc\nd\ne\n"],
    ["removes the last line", FIVE, "@@\n-e\n", "a\nb\nc\nd\n"],
    ["removes every line", "a\nb\n", "@@\n-a\n-b\n", ""],
    ["inserts above", FIVE, "@@\n+x\n a\n", "x\na\nb\nc\nd\ne\n"],
    ["inserts between", FIVE, "@@\n b\n+x\n c\n", "a\nb\nx\nc\nd\ne\n"],
    ["inserts below the last line", FIVE, "@@\n e\n+x\n", "a\nb\nc\nd\ne\nx\n"],
    ["appends what has no old line", FIVE, "@@\n+x\n+y\n", "a\nb\nc\nd\ne\nx\ny\n"],
    ["appends to an empty file", "", "@@\n+x\n", "x\n"],
    ["changes two places", FIVE, "@@\n-b\n+B\n@@\n-d\n+D\n", "a\nB\nc\nD\ne\n"],
    ["changes a place twice", "x\nx\nx\n", "@@\n-x\n+1\n@@\n-x\n+2\n", "1\n2\nx\n"],
    ["takes the first place of several", "x\ny\nx\ny\n", "@@\n-y\n+z\n", "x\nz\nx\ny\n"],
    ["keeps several changes of one hunk apart", FIVE, "@@\n-a\n+A\n b\n-c\n+C\n d\n", "A\nb\nC\nd\ne\n"],
    ["replaces by fewer lines", FIVE, "@@\n-b\n-c\n-d\n+x\n", "a\nx\ne\n"],
    ["replaces by more lines", FIVE, "@@\n-c\n+x\n+y\n+z\n", "a\nb\nx\ny\nz\nd\ne\n"],
    [
      "finds a place below its anchor",
      CALLS,
      "@@ def g():\n-    x = 1\n+    x = 2\n",
      "def f():\n    x = 1\n\ndef g():\n    x = 2\n",
    ],
    [
      "finds an anchor without its indentation",
      "if a:\n    def f():\n        x\nx\n",
      "@@ def f():\n-        x\n+        y\n",
      "if a:\n    def f():\n        y\nx\n",
    ],
    ["finds an anchor with other quotes", "“q”\nx\n", '@@ "q"\n-x\n+y\n', "“q”\ny\n"],
    ["repeats an anchor for a later place", "T\na\nT\na\n", "@@ T\n-a\n+1\n@@ T\n-a\n+2\n", "T\n1\nT\n2\n"],
    [
      "keeps context below an anchor",
      CALLS,
      "@@ def f():\n     x = 1\n+    y = 2\n",
      "def f():\n    x = 1\n    y = 2\n\ndef g():\n    x = 1\n",
    ],
    ["ignores white space at the end of context", "a  \nb\n", "@@\n a\n-b\n+B\n", "a  \nB\n"],
    ["ignores white space at the end of the patch's lines", "a\nb\n", "@@\n a  \n-b\n+B\n", "a\nB\n"],
    ["ignores indentation", "\tif x:\n\t\ty\n", "@@\n if x:\n-y\n+z\n", "\tif x:\nz\n"],
    ["ignores typographic dashes", "a — b\nx\n", "@@\n a - b\n-x\n+y\n", "a — b\ny\n"],
    ["ignores a space that does not break", "a\u00a0b\nx\n", "@@\n a b\n-x\n+y\n", "a\u00a0b\ny\n"],
    ["prefers an exact line to a similar one above", "  x\nx\n", "@@\n-x\n+y\n", "  x\ny\n"],
    ["goes to the end of the file", "x\ny\nx\n", "@@\n-x\n+z\n*** End of File\n", "x\ny\nz\n"],
    [
      "keeps context at the end of the file",
      "x\ny\nx\ny\n",
      "@@\n x\n-y\n+z\n*** End of File\n",
      "x\ny\nx\nz\n",
    ],
    [
      "continues after the end of the file with @@",
      "a\nb\n",
      "@@\n-a\n+A\n@@\n-b\n+B\n*** End of File\n",
      "A\nB\n",
    ],
    ["reads an empty line as context", "a\n\nb\n", "@@\n a\n\n-b\n+B\n", "a\n\nB\n"],
    ["passes over an empty line at the end of a hunk", "a\nb\n", "@@\n a\n-b\n+B\n\n", "a\nB\n"],
    ["adds an empty line", "a\nb\n", "@@\n a\n+\n b\n", "a\n\nb\n"],
    ["adds an empty line below all others", "a\n", "@@\n a\n+\n", "a\n\n"],
    ["adds an empty line that lost its +", "a\nb\n", "@@\n-a\n+x\n\n+y\n", "x\n\ny\nb\n"],
    ["adds an empty line that lost its + below context", "a\nb\n", "@@\n a\n+x\n\n+y\n", "a\nx\n\ny\nb\n"],
    ["keeps an empty line that is there", "a\n\nb\n", "@@\n-a\n+x\n\n+y\n", "x\n\ny\nb\n"],
    ["removes an empty line", "a\n\nb\n", "@@\n a\n-\n b\n", "a\nb\n"],
    ["adds a line that looks like a marker", "a\n", "@@\n a\n+*** End Patch\n", "a\n*** End Patch\n"],
    ["removes a line that looks like a header", "@@ x\na\n", "@@\n-@@ x\n a\n", "a\n"],
    ["adds a line of -", "a\n", "@@\n a\n+-\n+--\n", "a\n-\n--\n"],
    ["removes a line of +", "a\n+\n", "@@\n a\n-+\n", "a\n"],
    ["keeps CRLF", "a\r\nb\r\nc\r\n", "@@\n a\n-b\n+B\n+x\n c\n", "a\r\nB\r\nx\r\nc\r\n"],
    ["takes CRLF for what it appends", "a\r\n", "@@\n+b\n", "a\r\nb\r\n"],
    ["keeps the endings of context", "a\nb\r\nc\n", "@@\n a\n b\n-c\n+C\n", "a\nb\r\nC\n"],
    ["finds letters beyond ASCII", "日本\n語\n", "@@\n 日本\n-語\n+ご\n", "日本\nご\n"],
    ["finds emoji", "😀\nx\n", "@@\n 😀\n-x\n+y\n", "😀\ny\n"],
    ["appends before it changes", "a\nb\n", "@@\n+x\n@@\n-a\n+A\n", "A\nb\nx\n"],
    ["changes the line that it then keeps", "a\nb\nc\n", "@@\n-a\n+A\n b\n@@\n-c\n+C\n", "A\nb\nC\n"],
  ])("%s", async (_title, before, hunks, after) => {
    expect(await apply({ f: before }, update(hunks))).toEqual({ f: after });
  });

  it.each<[title: string, before: string, patch: string]>([
    ["lines that are not there", FIVE, update("@@\n-x\n+y\n")],
    ["an anchor that is not there", FIVE, update("@@ class T\n-a\n+b\n")],
    ["a place above the hunk before it", FIVE, update("@@\n-d\n+D\n@@\n-b\n+B\n")],
    ["lines that are apart in the file", FIVE, update("@@\n-a\n-c\n+x\n")],
    ["an end of file that is elsewhere", FIVE, update("@@\n-a\n+x\n*** End of File\n")],
    ["no hunk", FIVE, update("")],
    ["a hunk without lines", FIVE, update("@@\n")],
    ["a line without its sign", FIVE, update("@@\n-a\nx\n")],
    ["a line between the end of file and @@", FIVE, update("@@\n-e\n+E\n*** End of File\n+x\n")],
    ["text behind the end", FIVE, `${update("@@\n-a\n+b\n")}done\n`],
    ["text before the beginning", FIVE, `sure:\n${update("@@\n-a\n+b\n")}`],
    ["a patch that is cut off", FIVE, "*** Begin Patch\n*** Update File: f\n@@\n-a\n+b\n"],
    ["a file that is not there", FIVE, block("*** Update File: g\n@@\n-a\n+b\n")],
    ["a deletion of what is not there", FIVE, block("*** Delete File: g\n")],
    ["lines below a deletion", FIVE, block("*** Delete File: f\n-a\n")],
    ["an added file without +", FIVE, block("*** Add File: g\nx\n")],
    ["an unknown header", FIVE, block("*** Rename File: f\n")],
    ["a header after a stray line", FIVE, block("x\n*** Delete File: f\n")],
    ["a second section that fails", FIVE, block("*** Add File: g\n+x\n*** Update File: f\n@@\n-x\n+y\n")],
  ])("refuses %s", async (_title, before, patch) => {
    expect(await apply({ f: before }, patch)).toBe("refused");
  });

  it.each<[title: string, before: Texts, patch: string, after: Texts]>([
    ["adds a file", {}, block("*** Add File: d/n\n+x\n+\n+y\n"), { "d/n": "x\n\ny\n" }],
    ["adds an empty file", {}, block("*** Add File: n\n"), { n: "" }],
    ["deletes a file", { f: "x", g: "y\n" }, block("*** Delete File: f\n"), { g: "y\n" }],
    [
      "moves and changes",
      { f: "a\n" },
      block("*** Update File: f\n*** Move to: d/g\n@@\n-a\n+b\n"),
      { "d/g": "b\n" },
    ],
    [
      "does several sections",
      { f: "a\n", g: "b\n" },
      block("*** Add File: n\n+x\n*** Delete File: g\n*** Update File: f\n@@\n-a\n+A\n"),
      { f: "A\n", n: "x\n" },
    ],
    [
      "changes what it has added",
      {},
      block("*** Add File: n\n+x\n*** Update File: n\n@@\n-x\n+y\n"),
      { n: "y\n" },
    ],
    [
      "deletes and adds again",
      { f: "a\n" },
      block("*** Delete File: f\n*** Add File: f\n+b\n"),
      { f: "b\n" },
    ],
    [
      "reads markers with white space around them",
      { f: "a\n" },
      " *** Begin Patch \n *** Update File: f \n@@ \n-a\n+b\n *** End Patch \n",
      { f: "b\n" },
    ],
    ["reads a heredoc", { f: "a\n" }, `<<'EOF'\n${update("@@\n-a\n+b\n")}EOF\n`, { f: "b\n" }],
    ["reads two ends", { f: "a\n" }, `${update("@@\n-a\n+b\n")}*** End Patch\n`, { f: "b\n" }],
    ["reads CRLF patches", { f: "a\n" }, update("@@\n-a\n+b\n").replaceAll("\n", "\r\n"), { f: "b\n" }],
  ])("%s", async (_title, before, patch, after) => {
    expect(await apply(before, patch)).toEqual(after);
  });
});

// The list is that of docs/decisions/0017-patches-account-for-every-line.md.
describe("FA1 FA2 apply_patch differs from codex on purpose", () => {
  it.each<[title: string, before: string, hunks: string, after: string]>([
    ["a file without a final line ending keeps it that way", "a\nb", "@@\n-b\n+B\n", "a\nB"],
    ["lines without old ones go below their anchor", "a\nb\n", "@@ a\n+x\n", "a\nx\nb\n"],
    [
      "an empty line between hunks that is not in the file only separates them",
      "a\n",
      "@@\n+x\n\n@@\n-a\n+A\n",
      "A\nx\n",
    ],
    ["empty lines at the end of a section only separate it", "\na\n", "@@\n+x\n\n", "\na\nx\n"],
    [
      "a line that contains the anchor counts",
      "class T: # one\nx\n",
      "@@ class T\n-x\n+y\n",
      "class T: # one\ny\n",
    ],
    [
      "several anchors narrow a place down",
      "A\nf\nx\nB\nf\nx\n",
      "@@ B\n@@ f\n-x\n+y\n",
      "A\nf\nx\nB\nf\ny\n",
    ],
    ["an anchor above the hunk before it counts", "T\na\nb\n", "@@ T\n-a\n+A\n@@ T\n-b\n+B\n", "T\nA\nB\n"],
    ["an anchor may be the first line of context too", "a\nT\nx\n", "@@ T\n T\n-x\n+y\n", "a\nT\ny\n"],
    [
      "line numbers of a unified diff name a line",
      "x\ny\nx\ny\n",
      "@@ -3,2 +3,2 @@\n x\n-y\n+z\n",
      "x\ny\nx\nz\n",
    ],
  ])("%s", async (_title, before, hunks, after) => {
    expect(await apply({ f: before }, update(hunks))).toEqual({ f: after });
  });

  it.each<[title: string, before: Texts, patch: string]>([
    ["a file that exists is not added over", { f: "a\n" }, block("*** Add File: f\n+b\n")],
    [
      "a move does not overwrite",
      { f: "a\n", g: "b\n" },
      block("*** Update File: f\n*** Move to: g\n@@\n-a\n+A\n"),
    ],
    ["an empty line that is removed must exist", { f: "a\nb\n" }, update("@@\n a\n-\n")],
  ])("%s", async (_title, before, patch) => {
    expect(await apply(before, patch)).toBe("refused");
  });
});

import { describe, expect, it } from "vitest";
import type { StoredFile, Tree } from "./generated-history.fixture.js";
import { patchTree } from "./patched-tree.fixture.js";

const OPEN = "\\ No newline at end of file\n";

/** Files by their text, links as `-> target`. */
async function apply(
  before: Record<string, string>,
  patch: string,
): Promise<Record<string, string> | string> {
  const tree: Tree = new Map(Object.entries(before).map(([path, text]) => [path, stored(text)]));
  const outcome = await patchTree(tree, patch);
  if ("refused" in outcome) return outcome.refused;
  return Object.fromEntries(
    Object.entries(outcome.files).map(([path, { text, isLink }]) => [path, isLink ? `-> ${text}` : text]),
  );
}

function stored(text: string): StoredFile {
  return text.startsWith("-> ")
    ? { text: text.slice(3), isExecutable: false, isLink: true }
    : { text, isExecutable: false };
}

const git = (path: string, ...lines: readonly string[]) =>
  `diff --git a/${path} b/${path}\n${lines.map((line) => `${line}\n`).join("")}`;
const created = (path: string, target: string) =>
  `${git(path, "new file mode 120000", "index 0000000..1111111", "--- /dev/null", `+++ b/${path}`, "@@ -0,0 +1 @@", `+${target}`)}${OPEN}`;
const deleted = (path: string, target: string) =>
  `${git(path, "deleted file mode 120000", "index 1111111..0000000", `--- a/${path}`, "+++ /dev/null", "@@ -1 +0,0 @@", `-${target}`)}${OPEN}`;
const changed = (path: string, [from, to]: readonly [string, string]) =>
  `${git(path, "index 1111111..2222222 120000", `--- a/${path}`, `+++ b/${path}`, "@@ -1 +1 @@", `-${from}`)}${OPEN}+${to}\n${OPEN}`;
const moved = (verb: "rename" | "copy", from: string, to: string) =>
  `diff --git a/${from} b/${to}\nsimilarity index 100%\n${verb} from ${from}\n${verb} to ${to}\n`;
const newFile = (path: string, line: string) => `--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+${line}\n`;
const goneFile = (path: string, line: string) => `--- a/${path}\n+++ /dev/null\n@@ -1 +0,0 @@\n-${line}\n`;

describe("FA2 apply_patch patches symbolic links as git apply does", () => {
  it.each([
    ["creates one", {}, created("l", "gone"), { l: "-> gone" }],
    ["deletes one, not its target", { l: "-> a", a: "x\n" }, deleted("l", "a"), { a: "x\n" }],
    ["lets one lead elsewhere", { l: "-> a", a: "x\n" }, changed("l", ["a", "b"]), { l: "-> b", a: "x\n" }],
    [
      "knows one without its mode",
      { l: "-> a", a: "x\n" },
      changed("l", ["a", "b"]).replace(/^index.*\n/m, ""),
      { l: "-> b", a: "x\n" },
    ],
    ["renames one", { l: "-> gone" }, moved("rename", "l", "m"), { m: "-> gone" }],
    ["copies one", { l: "-> gone" }, moved("copy", "l", "m"), { l: "-> gone", m: "-> gone" }],
    [
      "finds a dangling one in a folder without prefixes",
      { "d/l": "-> gone", "d/k": "-> gone", l: "x\n", k: "y\n" },
      (changed("d/l", ["gone", "b"]) + deleted("d/k", "gone")).replace(/(?<=[ ])[ab]\//gm, ""),
      { "d/l": "-> b", l: "x\n", k: "y\n" },
    ],
    [
      "makes a file of one, and leaves its target alone",
      { l: "-> a", a: "x\n" },
      deleted("l", "a") + newFile("l", "y"),
      { l: "y\n", a: "x\n" },
    ],
    [
      "makes a folder of one, in either order",
      { l: "-> d", "d/a": "x\n" },
      newFile("l/b", "y") + deleted("l", "d"),
      { "d/a": "x\n", "l/b": "y\n" },
    ],
    [
      "makes one of a folder",
      { "d/a": "x\n" },
      created("d", "gone") + goneFile("d/a", "x"),
      { d: "-> gone" },
    ],
  ] as const)("%s", async (_title, before, patch, after) => {
    expect(await apply(before, patch)).toEqual(after);
  });

  it.each([
    [
      "that leaves the workspace",
      {},
      created("l", "/etc/passwd"),
      /^INVALID_PATH: .* is outside the workspace/,
    ],
    ["that leaves it by ..", {}, created("d/l", "../../x"), /^INVALID_PATH: .* is outside the workspace/],
    [
      "with a target of two lines",
      {},
      created("l", "a").replace(OPEN, ""),
      /target of a symbolic link is one line/,
    ],
    ["where a file is", { l: "a" }, changed("l", ["a", "b"]), /l is not a symbolic link/],
    ["that leads elsewhere", { l: "-> c" }, deleted("l", "a"), /^PATCH_FAILED/],
    ["where one is already", { l: "-> c" }, created("l", "a"), /^PATCH_FAILED/],
    [
      "with a file below it",
      { "d/a": "x\n" },
      created("l", "d") + newFile("l/b", "y"),
      /l\/b is below a symbolic link that the patch changes \(line 9 of the patch\)/,
    ],
  ])("refuses one %s", async (_title, before, patch, message) => {
    expect(await apply(before, patch)).toMatch(message);
  });
});

describe("FA2 apply_patch", () => {
  const BYTES = "\0\u0001\0\0";

  it.each([
    ["renames", moved("rename", "a.png", "d/b.png"), { "d/b.png": BYTES }],
    ["copies", moved("copy", "a.png", "b.png"), { "a.png": BYTES, "b.png": BYTES }],
    ["makes executable", git("a.png", "old mode 100644", "new mode 100755"), { "a.png": BYTES }],
    ["swaps", moved("rename", "a.png", "x") + moved("rename", "x", "a.png"), { "a.png": "text\n", x: BYTES }],
  ] as const)("%s a file that is not text", async (title, patch, after) => {
    const text = title === "swaps" ? { x: "text\n" } : {};
    expect(await apply({ "a.png": BYTES, ...text }, patch)).toEqual(after);
  });

  it("does not delete bytes that the patch does not show", async () => {
    const patch = git("a.png", "deleted file mode 100644", "index 1111111..0000000");
    expect(await apply({ "a.png": BYTES }, patch)).toMatch(/but not all of its lines/);
  });

  it.each([
    ["a folder of a file", { d: "x\n" }, goneFile("d", "x") + newFile("d/a", "y"), { "d/a": "y\n" }],
    [
      "a folder of a file, the file last",
      { d: "x\n" },
      newFile("d/a", "y") + goneFile("d", "x"),
      { "d/a": "y\n" },
    ],
    ["a file of a folder", { "d/a": "x\n" }, newFile("d", "y") + goneFile("d/a", "x"), { d: "y\n" }],
    ["a folder of a renamed file", { d: "x\n" }, moved("rename", "d", "d/a"), { "d/a": "x\n" }],
    ["a renamed file of its folder", { "d/a": "x\n" }, moved("rename", "d/a", "d"), { d: "x\n" }],
  ] as const)("makes %s", async (_title, before, patch, after) => {
    expect(await apply(before, patch)).toEqual(after);
  });

  it("gives a file that it deletes and creates again the mode of a new one", async () => {
    const before: Tree = new Map([["a", { text: "x\n", isExecutable: true }]]);
    const outcome = await patchTree(before, goneFile("a", "x") + newFile("a", "y"));
    expect(outcome).toEqual({ files: { a: { text: "y\n", isExecutable: false } } });
  });

  it("keeps a folder that has more files than the patch removes", async () => {
    const patch = newFile("d", "y") + goneFile("d/a", "x");
    expect(await apply({ "d/a": "x\n", "d/b": "x\n" }, patch)).toMatch(/^ALREADY_EXISTS|d already exists/);
  });
});

describe("FA2 apply_patch reads a patch whose every line ends in CRLF", () => {
  const converted = (patch: string) => patch.replaceAll("\n", "\r\n");
  const change = "--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n-x\n+y\n z\n";

  it("as git does where the files have CRLF, or are new", async () => {
    expect(await apply({ a: "x\r\nz\r\n" }, converted(change))).toEqual({ a: "y\r\nz\r\n" });
    expect(await apply({}, converted(newFile("n", "x")))).toEqual({ n: "x\r\n" });
  });

  it("as GNU patch does where a file has LF", async () => {
    const both = converted(change + newFile("n", "x"));
    expect(await apply({ a: "x\nz\n" }, both)).toEqual({ a: "y\nz\n", n: "x\n" });
  });

  it("never mixes line endings in a file that has one kind", async () => {
    const patch = `--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\n@@ -3 +3,2 @@\n-z\n${OPEN}+z\n+end\n`;
    expect(await apply({ a: "x\r\n\r\nz" }, patch)).toEqual({ a: "y\r\n\r\nz\r\nend\r\n" });
  });

  it("gives inserted lines the endings of each file, if one file shows that the patch's are not meant", async () => {
    const insertion = "--- a/a\n+++ b/a\n@@ -1,0 +2 @@\n+two\n";
    const replacement = "--- a/b\n+++ b/b\n@@ -1 +1 @@\n-x\n+y\n";
    expect(
      await apply({ a: "one\r\n", b: "x\n" }, (insertion + replacement).replaceAll("\n", "\r\n")),
    ).toEqual({ a: "one\r\ntwo\r\n", b: "y\n" });
  });
});

describe("FA2 apply_patch reads a patch that lost its carriage returns", () => {
  const insertion = "--- a/a\n+++ b/a\n@@ -1,0 +2 @@\n+two\n";
  const replacement = "--- a/b\n+++ b/b\n@@ -1 +1 @@\n-x\n+y\n";

  it("gives inserted lines the file's endings if another file shows it", async () => {
    const before = { a: "one\r\n", b: "x\r\n", c: "one\n" };
    const other = insertion.replaceAll("/a", "/c");
    expect(await apply(before, insertion + replacement + other)).toEqual({
      a: "one\r\ntwo\r\n",
      b: "y\r\n",
      c: "one\ntwo\n",
    });
  });

  it("inserts line feeds, as git does, if nothing shows it", async () => {
    expect(await apply({ a: "one\r\n", b: "x\n" }, insertion + replacement)).toEqual({
      a: "one\r\ntwo\n",
      b: "y\n",
    });
  });
});

import { describe, expect, it } from "vitest";
import { editRuntime } from "../testing.fixture.js";

const apply = async (files: Record<string, string>, patch: string) => {
  const { runtime } = editRuntime(files, { guards: { sensitive: (path) => path === ".env" } });
  const result = await runtime.call("apply_patch", { patch });
  return { result, files: await runtime.workspaceFiles(), runtime };
};

const marked = (body: string) => `*** Begin Patch\n${body}\n*** End Patch`;

describe("apply_patch, git headers", () => {
  it("a copy keeps the original file", async () => {
    const patch =
      "diff --git a/a.sh b/b.sh\nsimilarity index 60%\ncopy from a.sh\ncopy to b.sh\n--- a/a.sh\n+++ b/b.sh\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n";
    const { runtime } = editRuntime({ "a.sh": { content: "one\r\ntwo\r\n", mode: 0o755 } });
    const result = await runtime.call("apply_patch", { patch });
    expect(result).toMatchObject({ ok: true, value: { files: [{ path: "b.sh", kind: "create" }] } });
    expect(await runtime.workspaceFiles()).toEqual({ "a.sh": "one\r\ntwo\r\n", "b.sh": "one\r\n2\r\n" });
    expect((await runtime.workspace.stat("b.sh")).mode).toBe(0o755);
  });

  it("rejects a copy without a change whose target exists", async () => {
    const patch = "diff --git a/a.txt b/b.txt\nsimilarity index 100%\ncopy from a.txt\ncopy to b.txt\n";
    expect((await apply({ "a.txt": "a\n" }, patch)).files).toEqual({ "a.txt": "a\n", "b.txt": "a\n" });
    const taken = await apply({ "a.txt": "a\n", "b.txt": "b\n" }, patch);
    expect(taken.result).toMatchObject({ ok: false, error: { code: "PATCH_FAILED" } });
    expect(taken.files).toEqual({ "a.txt": "a\n", "b.txt": "b\n" });
  });

  it.each([
    ["of bytes", '"a/\\303\\251.txt"', '"b/\\303\\251.txt"', "é.txt"],
    ["of escapes", '"a/q\\"\\\\.txt"', '"b/q\\"\\\\.txt"', 'q"\\.txt'],
    ["beside what needs no quotes", '"a/日\\"本.txt"', '"b/日\\"本.txt"', '日"本.txt'],
  ])("reads quoted names %s", async (_title, from, to, name) => {
    const patch = `diff --git ${from} ${to}\nindex 1..2 100644\n--- ${from}\n+++ ${to}\n@@ -1 +1 @@\n-a\n+b\n`;
    expect((await apply({ [name]: "a\n" }, patch)).files).toEqual({ [name]: "b\n" });
  });

  it("reads quoted names of renames, and of a header on its own", async () => {
    const rename =
      'diff --git "a/\\303\\251.txt" b/e.txt\nsimilarity index 100%\nrename from "\\303\\251.txt"\nrename to e.txt\n';
    expect((await apply({ "é.txt": "a\n" }, rename)).files).toEqual({ "e.txt": "a\n" });
    const empty = 'diff --git "a/\\303\\251.txt" "b/\\303\\251.txt"\nnew file mode 100644\nindex 000..e69\n';
    expect((await apply({}, empty)).files).toEqual({ "é.txt": "" });
    const spaced = "diff --git a/x b/y b/x b/y\ndeleted file mode 100644\nindex e69..000\n";
    expect((await apply({ "x b/y": "" }, spaced)).files).toEqual({});
  });

  const changing = (name: string) => `--- ${name}\n+++ ${name}\n@@ -1 +1 @@\n-a\n+b\n`;

  it.each([
    ["a quote that does not end", changing('"a/a.txt')],
    ["an invalid escape", changing('"a/\\q.txt"')],
    ["bytes that are not UTF-8", changing('"a/\\303.txt"')],
    ["a file that becomes a link", "diff --git a/a.txt b/a.txt\nold mode 100644\nnew mode 120000\n"],
    ["a submodule", `diff --git a/a.txt b/a.txt\nindex 1..2 160000\n${changing("a/a.txt")}`],
    ["a set-user-id file", "diff --git a/a.txt b/a.txt\nold mode 100644\nnew mode 104755\n"],
    ["two names without a word about them", "diff --git a/a.txt b/b.txt\n"],
    ["a patch that was cut off", "*** Begin Patch\n*** Update File: a.txt\n@@\n-a\n+b\n"],
    [
      "a patch cut off after a file",
      "*** Begin Patch\n*** Add File: b.txt\n+b\n*** Update File: a.txt\n@@\n-a",
    ],
  ])("refuses %s", async (_title, patch) => {
    const { result, files } = await apply({ "a.txt": "a\n" }, patch);
    expect(result).toMatchObject({ ok: false, error: { code: "INVALID_PATCH" } });
    expect(files).toEqual({ "a.txt": "a\n" });
  });

  it("accepts sections without a beginning marker", async () => {
    const { files } = await apply({ "a.txt": "a\n" }, "*** Update File: a.txt\n@@\n-a\n+b\n");
    expect(files).toEqual({ "a.txt": "b\n" });
  });
});

describe("apply_patch, the names in its result", () => {
  it.each(["./a.txt", ".//a.txt", "/workspace/a.txt", "/workspace/./a.txt"])(
    "%s is told relative to the workspace",
    async (path) => {
      const updated = await apply({ "a.txt": "a\n" }, marked(`*** Update File: ${path}\n@@\n-a\n+b`));
      expect(updated.result).toMatchObject({
        ok: true,
        value: { files: [{ path: "a.txt", kind: "modify" }] },
      });
      expect(updated.result.text).toMatch(/^modify a\.txt\.\n/);
      const deleted = await apply({ "a.txt": "a\n" }, marked(`*** Delete File: ${path}`));
      expect(deleted.result).toMatchObject({
        ok: true,
        value: { files: [{ path: "a.txt", kind: "delete" }] },
      });
      const moved = await apply(
        { "x.txt": "a\n" },
        marked(`*** Update File: x.txt\n*** Move to: ${path}\n@@\n-a\n+b`),
      );
      expect(moved.result).toMatchObject({ ok: true, value: { files: [{ path: "a.txt", kind: "move" }] } });
    },
  );

  it("names in a unified diff lose empty and . segments", async () => {
    const { result } = await apply({}, "--- /dev/null\n+++ b/src/.//a.txt\n@@ -0,0 +1 @@\n+x\n");
    expect(result).toMatchObject({ ok: true, value: { files: [{ path: "src/a.txt", kind: "create" }] } });
  });

  it("FA1 a header whose name ends before a tab names no file", async () => {
    const { result, files } = await apply({}, "--- /dev/null\n+++ b/\t../x\n@@ -0,0 +1 @@\n+x\n");
    expect(result).toMatchObject({ ok: false, error: { code: "INVALID_PATCH" } });
    expect(files).toEqual({});
  });
});

describe("apply_patch, the reason for a refusal", () => {
  it.each([
    ["../x", "INVALID_PATH"],
    [".env", "SENSITIVE_FILE"],
    ["with\u0007bell", "INVALID_PATH"],
  ])("%s is reported as %s", async (path, code) => {
    const { result, files } = await apply(
      { "a.txt": "a\n" },
      marked(`*** Update File: a.txt\n@@\n-a\n+b\n*** Add File: ${path}\n+x`),
    );
    expect(result).toMatchObject({ ok: false, error: { code } });
    expect(files).toEqual({ "a.txt": "a\n" });
  });

  it("a cancelled call reports CANCELLED", async () => {
    const { runtime } = editRuntime({ "a.txt": "a\n" });
    const signal = AbortSignal.abort();
    const patch = marked("*** Update File: a.txt\n@@\n-a\n+b");
    expect(await runtime.call("apply_patch", { patch }, { signal })).toMatchObject({
      error: { code: "CANCELLED" },
    });
  });

  it("finds many hunks in a long file near their stated lines", async () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `line ${index % 7}`);
    const changed = [...lines];
    const hunks: string[] = [];
    for (let index = 0; index < lines.length; index += 10) {
      changed[index] = `new ${index}`;
      hunks.push(`@@ -${index + 1} +${index + 1} @@\n-${lines[index]}\n+${changed[index]}`);
    }
    const { files } = await apply(
      { "a.txt": `${lines.join("\n")}\n` },
      `--- a/a.txt\n+++ b/a.txt\n${hunks.join("\n")}\n`,
    );
    expect(files["a.txt"]).toBe(`${changed.join("\n")}\n`);
  });
});

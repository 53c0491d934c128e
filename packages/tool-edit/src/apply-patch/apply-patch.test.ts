import { describeToolContract } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { ApplyPatch } from "../index.js";
import { editRuntime } from "../testing.fixture.js";

const UPDATE = "*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+1\n*** End Patch";

describeToolContract(ApplyPatch, { files: { "a.txt": "one\ntwo\n" }, args: { patch: UPDATE } });

const patched = async (files: Record<string, string>, patch: string) => {
  const { runtime, approver } = editRuntime(files);
  const result = await runtime.call("apply_patch", { patch });
  return { result, approver, files: await runtime.workspaceFiles() };
};

const marked = (body: string) => `*** Begin Patch\n${body}\n*** End Patch`;

describe("apply_patch, *** Begin Patch grammar", () => {
  it("adds, updates, moves and deletes in one step with one prompt", async () => {
    const { result, approver, files } = await patched(
      { "a.ts": "let a = 1;\nlet b = 2;\n", "old.ts": "x\ny\n", "gone.ts": "z\n" },
      marked(
        "*** Update File: a.ts\n@@\n-let a = 1;\n+const a = 1;\n let b = 2;\n*** Add File: new/n.ts\n+export {};\n+\n*** Update File: old.ts\n*** Move to: moved.ts\n@@\n x\n-y\n+Y\n*** Delete File: gone.ts",
      ),
    );
    expect(result).toMatchObject({ ok: true });
    expect(files).toEqual({
      "a.ts": "const a = 1;\nlet b = 2;\n",
      "new/n.ts": "export {};\n\n",
      "moved.ts": "x\nY\n",
    });
    expect((result as { value: { files: unknown } }).value.files).toEqual([
      { path: "a.ts", kind: "modify" },
      { path: "new/n.ts", kind: "create" },
      { path: "moved.ts", kind: "move" },
      { path: "gone.ts", kind: "delete" },
    ]);
    expect(approver.requests).toHaveLength(1);
  });

  it("finds the location below its anchors, in order", async () => {
    const text = "class A {\n  run() {\n    x();\n  }\n}\nclass B {\n  run() {\n    x();\n  }\n}\n";
    const { files } = await patched(
      { "a.ts": text },
      marked("*** Update File: a.ts\n@@ class B {\n@@   run() {\n-    x();\n+    y();"),
    );
    expect(files["a.ts"]).toBe(
      "class A {\n  run() {\n    x();\n  }\n}\nclass B {\n  run() {\n    y();\n  }\n}\n",
    );
  });

  it("uses the end of the file if the patch requires it", async () => {
    const { files } = await patched(
      { "a.txt": "x\ny\nx\n" },
      marked("*** Update File: a.txt\n@@\n-x\n+z\n*** End of File"),
    );
    expect(files["a.txt"]).toBe("x\ny\nz\n");
  });

  it("later sections see the result of earlier ones", async () => {
    const { files } = await patched(
      { "a.txt": "a\n" },
      marked("*** Update File: a.txt\n@@\n-a\n+b\n*** Update File: a.txt\n@@\n-b\n+c"),
    );
    expect(files["a.txt"]).toBe("c\n");
  });

  it("D29 keeps CRLF, the missing final newline, and the white space of kept lines", async () => {
    expect(
      (await patched({ "a.txt": "a\r\nb \r\nc" }, marked("*** Update File: a.txt\n@@\n a\n b\n-c\n+C")))
        .files["a.txt"],
    ).toBe("a\r\nb \r\nC");
    expect(
      (await patched({ "a.txt": "a\r\nb\r\n" }, marked("*** Update File: a.txt\n@@\n a\n+x\n b"))).files[
        "a.txt"
      ],
    ).toBe("a\r\nx\r\nb\r\n");
  });

  it("reports differences it ignored to find the location", async () => {
    const { result, files } = await patched(
      { "a.txt": "  a\n  b\n" },
      marked("*** Update File: a.txt\n@@\n a\n-b\n+  c"),
    );
    expect(files["a.txt"]).toBe("  a\n  c\n");
    expect(result.text).toContain("ignoring indentation");
  });

  it("reports every hunk that does not fit and changes nothing", async () => {
    const files = { "a.txt": "alpha\nbeta\n", "b.txt": "x\n" };
    const patch = marked(
      "*** Update File: b.txt\n@@\n-x\n+y\n*** Update File: a.txt\n@@\n-alpa\n+A\n@@\n-bet\n+B\n*** Delete File: none.txt",
    );
    const { result, files: after } = await patched(files, patch);
    expect(result).toMatchObject({ ok: false, error: { code: "PATCH_FAILED" } });
    for (const named of ["hunk 1 of a.txt", "hunk 2 of a.txt", "1: alpha", "none.txt"])
      expect(result.text).toContain(named);
    expect(after).toEqual(files);
  });

  it("refuses to add an existing file", async () => {
    const { result, files } = await patched({ "a.txt": "a\n" }, marked("*** Add File: a.txt\n+b"));
    expect(result).toMatchObject({ ok: false, error: { code: "PATCH_FAILED" } });
    expect(files).toEqual({ "a.txt": "a\n" });
  });
});

describe("apply_patch, unified diff", () => {
  it("applies a git diff with a new, a renamed and a deleted file", async () => {
    const patch = `diff --git a/a.txt b/b.txt
similarity index 50%
rename from a.txt
rename to b.txt
--- a/a.txt
+++ b/b.txt
@@ -1,2 +1,2 @@
 one
-two
+2
diff --git a/n.sh b/n.sh
new file mode 100755
--- /dev/null
+++ b/n.sh
@@ -0,0 +1 @@
+echo
\\ No newline at end of file
--- a/gone.txt
+++ /dev/null
@@ -1 +0,0 @@
-gone
`;
    const { runtime } = editRuntime({ "a.txt": "one\ntwo\n", "gone.txt": "gone\n" });
    expect(await runtime.call("apply_patch", { patch })).toMatchObject({ ok: true });
    expect(await runtime.workspaceFiles()).toEqual({ "b.txt": "one\n2\n", "n.sh": "echo" });
    expect((await runtime.workspace.stat("n.sh")).mode).toBe(0o755);
  });

  it("finds a drifted hunk, nearest to its stated position", async () => {
    const before = "x\n\n\n\n\n\nx\n\nx\n";
    const { files } = await patched({ "a.txt": before }, "--- a/a.txt\n+++ b/a.txt\n@@ -6 +6 @@\n-x\n+y\n");
    expect(files["a.txt"]).toBe("x\n\n\n\n\n\ny\n\nx\n");
  });

  it("inserts at the position of the header, and at the end", async () => {
    expect(
      (await patched({ "a.txt": "a\nb\n" }, "--- a/a.txt\n+++ b/a.txt\n@@ -1,0 +2 @@\n+x\n")).files["a.txt"],
    ).toBe("a\nx\nb\n");
    expect(
      (
        await patched(
          { "a.txt": "a" },
          "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1,2 @@\n-a\n\\ No newline at end of file\n+a\n+b\n",
        )
      ).files["a.txt"],
    ).toBe("a\nb\n");
  });

  it.each([
    ["nothing to do", "hello"],
    ["a hunk without numbers", "--- a/a.txt\n+++ b/a.txt\n@@\n-a\n"],
    ["a hunk that is too short", "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n a\n"],
    ["a binary file", "diff --git a/a.png b/a.png\nindex 1..2 100644\nGIT binary patch\n"],
    ["a stray line", marked("*** Update File: a.txt\n@@\nfoo")],
    ["no hunk", marked("*** Update File: a.txt")],
    ["a bad header", marked("*** Frobnicate File: a.txt")],
    ["an added line without +", marked("*** Add File: b.txt\nfoo")],
  ])("refuses %s", async (_title, patch) => {
    const { result, files } = await patched({ "a.txt": "a\n" }, patch);
    expect(result).toMatchObject({ ok: false, error: { code: "INVALID_PATCH" } });
    expect(files).toEqual({ "a.txt": "a\n" });
  });

  it("refuses a path outside, and a role that may not create files", async () => {
    expect((await patched({}, marked("*** Add File: ../x\n+a"))).result.ok).toBe(false);
    const { runtime } = editRuntime(
      {},
      { role: { name: "editor", permissions: ["ReadFiles", "WriteFiles"] } },
    );
    expect(await runtime.call("apply_patch", { patch: marked("*** Add File: x\n+a") })).toMatchObject({
      error: { code: "PERMISSION_DENIED" },
    });
  });
});

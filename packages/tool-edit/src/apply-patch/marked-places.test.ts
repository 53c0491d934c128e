import { describe, expect, it } from "vitest";
import { editRuntime } from "../testing.fixture.js";

/** Returns the file after a block with these hunks, or the refusal. */
async function patched(text: string, hunks: string, end = "*** End Patch\n"): Promise<string | undefined> {
  const { runtime } = editRuntime({ f: text });
  const patch = `*** Begin Patch\n*** Update File: f\n${hunks}${end}`;
  const result = await runtime.call("apply_patch", { patch });
  return result.ok ? (await runtime.workspaceFiles()).f : result.text;
}

describe("FA2 apply_patch locates marked hunks as codex does", () => {
  it("a hunk that appends may come before one that changes a line", async () => {
    expect(await patched("a\nb\n", "@@\n+new\n@@\n-a\n+A\n@@\n b\n+c\n")).toBe("A\nb\nnew\nc\n");
    expect(await patched("a\nb\n", "@@\n+new\n\n@@\n-a\n+A\n")).toBe("A\nb\nnew\n");
  });

  it("the end marker may be indented", async () => {
    expect(await patched("a\n", "@@\n-a\n+b\n", " *** End Patch")).toBe("b\n");
    expect(await patched("a\n*** End Patch\nb\n", "@@\n-a\n+A\n *** End Patch\n b\n")).toBe(
      "A\n*** End Patch\nb\n",
    );
  });

  it("lines below the anchor come before a repetition of the anchor", async () => {
    expect(await patched("x\ny\nx\n", "@@ x\n-x\n+z\n")).toBe("x\ny\nz\n");
    expect(await patched("x\ny\nz\n", "@@ x\n x\n+new\n y\n")).toBe("x\nnew\ny\nz\n");
  });

  it("compares an anchor like other lines: exactly, then without white space, then without typography", async () => {
    const text = "run():\n  old\n  run():\n  old\n";
    expect(await patched(text, "@@   run():\n-  old\n+  new\n")).toBe("run():\n  old\n  run():\n  new\n");
    expect(await patched("a\n“q” — x\na\n", '@@ "q" - x\n-a\n+b\n')).toBe("a\n“q” — x\nb\n");
    expect(await patched("class A { // one\nx\n", "@@ class A\n-x\n+y\n")).toBe("class A { // one\ny\n");
  });
});

describe("FA1 apply_patch applies marked hunks at the end of a file as written", () => {
  it("appended lines take the endings of the file", async () => {
    expect(await patched("a\r\nb", "@@\n+c\n")).toBe("a\r\nb\r\nc");
    expect(await patched("a\r\nb", "@@\n b\n+c\n+d\n")).toBe("a\r\nb\r\nc\r\nd");
  });

  it("appended lines replace lines that are removed there", async () => {
    expect(await patched("a\nb", "@@\n-b\n@@\n+c\n")).toBe("a\nc");
    expect(await patched("a", "@@\n-a\n@@\n+b\n@@\n+c\n")).toBe("b\nc");
    expect(await patched("a\nb\n", "@@\n+c\n@@\n-b\n@@\n+d\n")).toBe("a\nc\nd\n");
  });
});

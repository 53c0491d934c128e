import { describeToolContract } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { Edit } from "../index.js";
import { editRuntime } from "../testing.fixture.js";

describeToolContract(Edit, {
  files: { "a.txt": "one two\n" },
  args: { path: "a.txt", old_string: "two", new_string: "2" },
});

const edit = async (content: string, args: object) => {
  const { runtime, approver, text } = editRuntime({ "a.txt": content });
  const result = await runtime.call("edit", { path: "a.txt", ...args });
  return { result, asked: approver.requests.length, after: await text("a.txt") };
};

describe("edit", () => {
  it("S2.EDIT.1 S2.EDIT.2 S2.EDIT.8 replaces the exact text and shows a diff", async () => {
    const { result, asked, after } = await edit("a\nb\nc\n", { old_string: "b", new_string: "B" });
    expect(after).toBe("a\nB\nc\n");
    expect(result).toMatchObject({ ok: true, value: { replacements: 1, startLine: 2, endLine: 2 } });
    expect(result.text).toContain("-b\n+B");
    expect(asked).toBe(1);
  });

  it("S2.EDIT.3 replaces all occurrences with replace_all", async () => {
    const { result, after } = await edit("x x\nx\n", { old_string: "x", new_string: "y", replace_all: true });
    expect(after).toBe("y y\ny\n");
    expect(result).toMatchObject({ value: { replacements: 3, startLine: 1, endLine: 2 } });
  });

  it("S2.EDIT.4 not found: shows the nearest text, the difference, and the call to make", async () => {
    const { result, asked } = await edit("function total(prices) {\n  return sum(prices);\n}\n", {
      old_string: "function total(price) {\n  return sum(price);\n}",
      new_string: "x",
    });
    expect(result).toMatchObject({ ok: false, error: { code: "EDIT_NOT_FOUND", next: { tool: "edit" } } });
    expect(result.text).toMatch(/old_string not found in a\.txt \(3 lines, hash [0-9a-f]{16}\)/);
    expect(result.text).toContain("1: function total(prices) {");
    expect(result.text).toContain("{-price-}{+prices+}");
    expect(asked).toBe(0);
  });

  it("reports an edit that was already made", async () => {
    const { result } = await edit("a\nconst b = 2;\n", {
      old_string: "const b = 1;",
      new_string: "const b = 2;",
    });
    expect(result).toMatchObject({
      ok: false,
      error: { code: "EDIT_NOT_FOUND", details: { alreadyApplied: true } },
    });
    expect(result.text).toContain("line 2");
  });

  it("S2.EDIT.5 not unique: names the lines", async () => {
    const { result, after } = await edit("x\na\nx\nx\n", { old_string: "x", new_string: "y" });
    expect(result).toMatchObject({
      ok: false,
      error: { code: "EDIT_NOT_UNIQUE", details: { count: 3, lines: [1, 3, 4] } },
    });
    expect(result.text).toContain(
      "old_string found 3 times at lines 1, 3, 4. Use replace_all=true or provide more context to make it unique.",
    );
    expect(after).toBe("x\na\nx\nx\n");
  });

  it("S2.EDIT.7 D2 an LF old_string matches CRLF, and only that piece changes", async () => {
    const { after } = await edit("\uFEFFa  \r\nb\r\nc\nd", { old_string: "a  \nb", new_string: "A\nB\nX" });
    expect(after).toBe("\uFEFFA\r\nB\r\nX\r\nc\nd");
  });

  it("S2.EDIT.9 S2.WRITE.9 a dry run changes nothing", async () => {
    const { result, asked, after } = await edit("a\n", { old_string: "a", new_string: "b", dry_run: true });
    expect(result).toMatchObject({ ok: true, preview: true });
    expect(result.text).toContain("[Dry Run] Would replace 1 occurrence(s)");
    expect(after).toBe("a\n");
    expect(asked).toBe(0);
  });

  it.each(["$&", "$$", "$'", "$`", "$1"])("D1 %s in the new text is literal", async (literal) => {
    expect(
      (await edit('log("done");\n', { old_string: 'log("done")', new_string: `log("${literal} ok")` })).after,
    ).toBe(`log("${literal} ok");\n`);
  });

  it("D3 a unique exact match wins over looser ones", async () => {
    const { result, after } = await edit("a \nb\n\na\nb\n", { old_string: "a\nb", new_string: "x" });
    expect(result).toMatchObject({ ok: true });
    expect(after).toBe("a \nb\n\nx\n");
  });

  it.each([
    ["adds the final newline", "a", "a\n", "a\n"],
    ["removes the final newline", "a\n", "a", "a"],
  ])("D13 %s", async (_title, old_string, new_string, expected) => {
    expect((await edit(old_string, { old_string, new_string })).after).toBe(expected);
  });

  it.each([
    [
      "trailing white space",
      "if (a) {  \n  b();\n}\n",
      "if (a) {\n  b();",
      "if (a) {\n  c();",
      "if (a) {\n  c();\n}\n",
    ],
    [
      "indentation",
      "x\n    if (a) {\n      b();\n    }\n",
      "if (a) {\n  b();\n}",
      "if (z) {\n  c();\n}",
      "x\n    if (z) {\n      c();\n    }\n",
    ],
    [
      "indentation",
      "if (a) {\n  b();\n}\n",
      "  if (a) {\n    b();\n  }",
      "  if (z) {\n    b();\n  }",
      "if (z) {\n  b();\n}\n",
    ],
    ["typographic punctuation", "say(“hello” – it’s)\n", 'say("hello" - it\'s)', "say()", "say()\n"],
    ["line numbers", "a\nfoo();\nbar();\n", "2: foo();\n3: bar();", "2: baz();", "a\nbaz();\n"],
  ])(
    "finds the place ignoring %s and says so",
    async (ignoring, before, old_string, new_string, expected) => {
      const { result, after } = await edit(before, { old_string, new_string });
      expect(after).toBe(expected);
      expect(result.text).toContain(`matched ignoring ${ignoring}`);
    },
  );

  it("never guesses: a similar text is not a match", async () => {
    const { result } = await edit("const limit = 10;\n", {
      old_string: "const limit = 11;",
      new_string: "const limit = 12;",
    });
    expect(result).toMatchObject({ ok: false, error: { code: "EDIT_NOT_FOUND" } });
  });

  it("several edits apply to the original text in one step", async () => {
    const edits = [
      { old_string: "a", new_string: "b" },
      { old_string: "b", new_string: "a" },
    ];
    expect((await edit("a b\n", { edits })).after).toBe("b a\n");
    const broken = await edit("a b\n", { edits: [...edits, { old_string: "missing", new_string: "x" }] });
    expect(broken.result).toMatchObject({ ok: false, error: { code: "EDIT_NOT_FOUND" } });
    expect(broken.after).toBe("a b\n");
    expect(
      (
        await edit("abc\n", {
          edits: [
            { old_string: "ab", new_string: "x" },
            { old_string: "bc", new_string: "y" },
          ],
        })
      ).result,
    ).toMatchObject({ error: { code: "INVALID_ARGUMENTS" } });
  });

  it("rejects empty and contradictory arguments", async () => {
    expect((await edit("a\n", { old_string: "a", new_string: "a" })).result).toMatchObject({
      error: { code: "NO_CHANGE" },
    });
    expect((await edit("a\n", { old_string: "", new_string: "a" })).result).toMatchObject({
      error: { code: "INVALID_ARGUMENTS" },
    });
    expect((await edit("a\n", { old_string: "a" })).result).toMatchObject({
      error: { code: "INVALID_ARGUMENTS" },
    });
    expect(
      (await edit("a\n", { old_string: "a", new_string: "b", edits: [{ old_string: "a", new_string: "b" }] }))
        .result,
    ).toMatchObject({ error: { code: "INVALID_ARGUMENTS" } });
  });

  it("S2.EDIT.6 in the claude dialect: Edit with file_path, absolute, read first", async () => {
    const { runtime, text } = editRuntime({ "a.txt": "x\n" }, { dialect: "claude" });
    const args = { old_string: "x", new_string: "y" };
    expect(await runtime.call("Edit", { file_path: "a.txt", ...args })).toMatchObject({
      ok: false,
      error: { message: "file_path must be an absolute path" },
    });
    expect(
      await runtime.call("Edit", { file_path: runtime.workspace.absolute("a.txt"), ...args }),
    ).toMatchObject({ ok: true });
    expect(await text("a.txt")).toBe("y\n");
    const enforcing = editRuntime({ "a.txt": "x\n" }, { dialect: "claude", readBeforeWrite: "enforce" });
    expect(
      await enforcing.runtime.call("Edit", {
        file_path: enforcing.runtime.workspace.absolute("a.txt"),
        ...args,
      }),
    ).toMatchObject({ error: { code: "FILE_NOT_READ" } });
  });

  it("D15 applies exactly the approved change", async () => {
    const { runtime, approver, text } = editRuntime({ "a.txt": "a\nb\n" });
    await runtime.call("edit", { path: "a.txt", old_string: "a", new_string: "c" });
    const [change] = approver.requests[0]?.changes ?? [];
    expect(change?.afterHash).toBe(await runtime.workspace.hashOf("a.txt"));
    expect(await text("a.txt")).toBe("c\nb\n");
  });

  it("S0.PERM.2 reads and writes, and prompts", () => {
    expect(Edit.definition).toMatchObject({ permissions: ["ReadFiles", "WriteFiles"], approval: "confirm" });
  });
});

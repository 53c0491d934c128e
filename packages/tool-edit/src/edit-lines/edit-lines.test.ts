import { describeToolContract } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { EditLines } from "../index.js";
import { editRuntime } from "../testing.fixture.js";

describeToolContract(EditLines, {
  files: { "a.txt": "one\ntwo\n" },
  args: { path: "a.txt", operation: "insert", start_line: 1, content: "x" },
});

const TWENTY = Array.from({ length: 20 }, (_, index) => `line ${index + 1}\n`).join("");

const editLines = async (content: string, args: object) => {
  const { runtime, approver, text } = editRuntime({ "a.txt": content });
  const result = await runtime.call("edit_lines", { path: "a.txt", ...args });
  return { result, asked: approver.requests.length, after: await text("a.txt") };
};

describe("edit_lines", () => {
  it("S0.LINE.1 inserts after a line, shifts the rest, counts and prompts", async () => {
    const { result, asked, after } = await editLines(TWENTY, {
      operation: "insert",
      start_line: 10,
      content: "new",
    });
    expect(after?.split("\n").slice(9, 12)).toEqual(["line 10", "new", "line 11"]);
    expect(result).toMatchObject({
      ok: true,
      value: { totalLines: 21, delta: 1, startLine: 11, endLine: 11 },
    });
    expect(asked).toBe(1);
  });

  it("S0.LINE.2 S1.I4 deletes a range, both ends included", async () => {
    const { result, asked, after } = await editLines(TWENTY, {
      operation: "delete",
      start_line: 5,
      end_line: 8,
    });
    expect(after?.split("\n").slice(3, 5)).toEqual(["line 4", "line 9"]);
    expect(result).toMatchObject({ ok: true, value: { totalLines: 16, delta: -4 } });
    expect(asked).toBe(1);
  });

  it("S0.LINE.3 S1.D4 S1.Q4 replaces a range and shows the diff", async () => {
    const { result, asked, after } = await editLines(TWENTY, {
      operation: "replace",
      start_line: 10,
      end_line: 15,
      content: "a\nb",
    });
    expect(after?.split("\n").slice(8, 12)).toEqual(["line 9", "a", "b", "line 16"]);
    expect(result).toMatchObject({
      ok: true,
      value: { totalLines: 16, delta: -4, startLine: 10, endLine: 11 },
    });
    expect(result.text).toContain("-line 10");
    expect(asked).toBe(1);
  });

  it("S1.R4 reports the new number of lines and how far the rest moved", async () => {
    const { result } = await editLines("a\nb\n", { operation: "insert", start_line: 1, content: "x\ny" });
    expect(result.text).toContain("4 lines");
    expect(result.text).toContain("moved by +2");
  });

  it.each([
    [{ operation: "insert", start_line: 1, content: "x" }, "lines after 1 moved by +1"],
    [{ operation: "delete", start_line: 1, end_line: 2 }, "lines after 2 moved by -2"],
    [{ operation: "replace", start_line: 1, end_line: 2, content: "x" }, "lines after 2 moved by -1"],
  ])("S1.R4 names the last line before those that moved, as numbered before: %j", async (args, moved) => {
    expect((await editLines("a\nb\nc\nd\n", args)).result.text).toContain(moved);
  });

  it.each([
    [{ operation: "delete", start_line: 19, end_line: 21 }, "valid range 1-20"],
    [{ operation: "replace", start_line: 0, content: "x" }, "valid range 1-20"],
    [{ operation: "insert", start_line: 21, content: "x" }, "valid range 0-20"],
    [{ operation: "delete", start_line: 3, end_line: 2 }, "valid range 1-20"],
  ])("S0.LINE.4 refuses %o and names the valid range", async (args, valid) => {
    const { result, after } = await editLines(TWENTY, args);
    expect(result).toMatchObject({ ok: false, error: { code: "INVALID_RANGE" } });
    expect(result.text).toContain(valid);
    expect(after).toBe(TWENTY);
  });

  it.each(["delete", "replace"])(
    "S0.LINE.4 names the only valid range of an empty file for %s",
    async (operation) => {
      const content = operation === "replace" ? { content: "x" } : {};
      const { result, after } = await editLines("", { operation, start_line: 1, ...content });
      expect(result).toMatchObject({ ok: false, error: { code: "INVALID_RANGE" } });
      expect(result.text).toContain("the file is empty; its only valid range is 0, for insert");
      expect(after).toBe("");
    },
  );

  it("S0.LINE.5 a missing file is an error with its path", async () => {
    const { runtime } = editRuntime({});
    const result = await runtime.call("edit_lines", {
      path: "x/none.ts",
      operation: "delete",
      start_line: 1,
    });
    expect(result).toMatchObject({ ok: false, error: { code: "FILE_NOT_FOUND" } });
    expect(result.text).toContain("x/none.ts");
  });

  it.each([
    ["a\nb", { operation: "insert", start_line: 2, content: "c" }, "a\nb\nc"],
    ["a\nb", { operation: "replace", start_line: 2, content: "c" }, "a\nc"],
    ["a\nb", { operation: "delete", start_line: 2 }, "a"],
    ["a\r\nb\r\n", { operation: "replace", start_line: 2, content: "Q" }, "a\r\nQ\r\n"],
    ["a\r\nb\n", { operation: "insert", start_line: 1, content: "x\ny" }, "a\r\nx\r\ny\r\nb\n"],
    ["a\nb\r\nc\n", { operation: "replace", start_line: 1, end_line: 3, content: "1\n2\n3" }, "1\n2\r\n3\n"],
    ["", { operation: "insert", start_line: 0, content: "first" }, "first\n"],
    ["a\n", { operation: "insert", start_line: 0, content: "top\n" }, "top\na\n"],
    ["a\n", { operation: "insert", start_line: 1, content: "\n" }, "a\n\n"],
    ["a\u2028b\nc\n", { operation: "delete", start_line: 1 }, "c\n"],
  ])("D13 D29 keeps line endings and the end of the file: %j %j", async (before, args, expected) => {
    expect((await editLines(before, args)).after).toBe(expected);
  });

  it("makes several edits in one step, with the original line numbers", async () => {
    const edits = [
      { operation: "delete", start_line: 4 },
      { operation: "insert", start_line: 1, content: "x" },
      { operation: "replace", start_line: 2, end_line: 3, content: "y" },
    ];
    const { result, after } = await editLines("1\n2\n3\n4\n5\n", { edits });
    expect(after).toBe("1\nx\ny\n5\n");
    expect(result).toMatchObject({ ok: true, value: { totalLines: 4, delta: -1, startLine: 2, endLine: 3 } });
  });

  it("refuses overlapping edits, and a single edit beside a list", async () => {
    const overlapping = {
      edits: [
        { operation: "delete", start_line: 1, end_line: 3 },
        { operation: "replace", start_line: 3, content: "x" },
      ],
    };
    expect((await editLines("1\n2\n3\n", overlapping)).result).toMatchObject({
      error: { code: "INVALID_ARGUMENTS" },
    });
    expect(
      (await editLines("1\n", { ...overlapping, operation: "delete", start_line: 1 })).result,
    ).toMatchObject({ error: { code: "INVALID_ARGUMENTS" } });
    expect((await editLines("1\n", {})).result).toMatchObject({ error: { code: "INVALID_ARGUMENTS" } });
    expect((await editLines("1\n", { operation: "insert", start_line: 1 })).result).toMatchObject({
      error: { code: "INVALID_ARGUMENTS" },
    });
    expect(
      (await editLines("1\n", { operation: "insert", start_line: 1, content: "" })).result,
    ).toMatchObject({ error: { code: "NO_CHANGE" } });
  });

  it("shows the current lines if they differ from the expected ones", async () => {
    const { result, after } = await editLines("a\nb\nc\n", {
      operation: "replace",
      start_line: 2,
      content: "x",
      expected: "B",
    });
    expect(result).toMatchObject({ ok: false, error: { code: "STALE_FILE" } });
    expect(result.text).toContain("2: b");
    expect(after).toBe("a\nb\nc\n");
    expect(
      (
        await editLines("a\r\nb\r\n", {
          operation: "replace",
          start_line: 1,
          end_line: 2,
          content: "x",
          expected: "a\nb\n",
        })
      ).after,
    ).toBe("x\r\n");
  });

  it("D8 requires a read first, unless it states the expected lines", async () => {
    const { runtime } = editRuntime({ "a.txt": "a\nb\n" }, { readBeforeWrite: "enforce" });
    const args = { path: "a.txt", operation: "delete", start_line: 1 };
    expect(await runtime.call("edit_lines", args)).toMatchObject({
      ok: false,
      error: { code: "FILE_NOT_READ" },
    });
    expect(await runtime.call("edit_lines", { ...args, expected: "a" })).toMatchObject({ ok: true });
  });
});

import { describe, expect, it } from "vitest";
import { editRuntime } from "./testing.fixture.js";

const SIXTY = Array.from({ length: 60 }, (_, index) => `line ${index + 1} of the file\n`).join("");

async function failure(tool: string, args: object) {
  const { runtime } = editRuntime({ "a.txt": SIXTY });
  const result = await runtime.call(tool, { path: "a.txt", ...args });
  if (result.ok) expect.fail(result.text);
  return result.error;
}

describe("a failed edit describes the current state", () => {
  it("several equally similar locations give no ready call", async () => {
    const error = await failure("edit", { old_string: "line 333 of the file", new_string: "x" });
    expect(error).toMatchObject({
      code: "EDIT_NOT_FOUND",
      message: expect.stringMatching(/nearest text is at line \d+:/),
    });
    expect(error.next).toBeUndefined();
  });

  it("a single nearest location does", async () => {
    const { runtime } = editRuntime({ "a.js": "function total(items) {\n  return items.length;\n}\n" });
    const result = await runtime.call("edit", {
      path: "a.js",
      old_string: "return item.length;",
      new_string: "x",
    });
    expect(result).toMatchObject({
      error: { next: { tool: "edit", args: { old_string: "  return items.length;", new_string: "x" } } },
    });
  });

  it("an edit that was already made names its location", async () => {
    expect(await failure("edit", { old_string: "row 30", new_string: "line 30 of" })).toMatchObject({
      message: expect.stringContaining("new_string is already there, at line 30"),
      hint: "Read the lines there before you repeat anything.",
    });
  });

  it("a wrong count names the lines and the preview", async () => {
    expect(
      await failure("replace_in_file", { find: "line 1", replace: "x", expected_count: 2 }),
    ).toMatchObject({
      code: "COUNT_MISMATCH",
      message:
        "a.txt has 11 matches (line 1, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19), not 2; nothing was changed",
      next: { tool: "replace_in_file", args: { find: "line 1", preview_only: true } },
    });
  });

  it("a stale file shows the current text of the intended lines", async () => {
    const { runtime } = editRuntime({ "a.txt": SIXTY }, { readBeforeWrite: "enforce" });
    await runtime.call("edit", { path: "a.txt", old_string: "line 9 of", new_string: "line nine of" });
    runtime.workspace.put("a.txt", SIXTY.replace("line 30 of", "row thirty of"));
    const result = await runtime.call("edit_lines", {
      path: "a.txt",
      operation: "replace",
      start_line: 30,
      content: "x",
    });
    expect(result).toMatchObject({
      error: {
        code: "STALE_FILE",
        message: expect.stringContaining("The lines are now:\n27: line 27 of the file"),
      },
    });
    expect(result.text).toContain("30: row thirty of the file");
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { editRuntime } from "./testing.fixture.js";

const call = async (before: string, tool: string, args: object) => {
  const { runtime, text } = editRuntime({ f: before });
  const result = await runtime.call(tool, { path: "f", ...args });
  expect(result.ok || result.error.code === "NO_CHANGE").toBe(true);
  return text("f");
};

/** The same change with each tool: line "b" becomes the given lines. */
const CHANGES: Record<string, (content: string) => object> = {
  edit: (content) => ({ old_string: "b", new_string: content }),
  replace_in_file: (content) => ({ find: "b", replace: content }),
  edit_lines: (content) => ({ operation: "replace", start_line: 2, content }),
};

describe.each(Object.entries(CHANGES))("FA8 %s keeps the line endings of the file", (tool, args) => {
  it.each([
    ["CRLF in an all-LF file becomes LF", "a\nb\nc\n", "x\r\ny", "a\nx\ny\nc\n"],
    ["LF in an all-CRLF file becomes CRLF", "a\r\nb\r\nc\r\n", "x\ny", "a\r\nx\r\ny\r\nc\r\n"],
    ["CRLF stays CRLF in an all-CRLF file", "a\r\nb\r\nc\r\n", "x\r\ny", "a\r\nx\r\ny\r\nc\r\n"],
    ["mixed endings in the argument make no difference", "a\nb\nc\n", "x\r\ny\nz", "a\nx\ny\nz\nc\n"],
  ])("%s", async (_title, before, content, after) => {
    expect(await call(before, tool, args(content))).toBe(after);
  });
});

describe("FA8 line endings", () => {
  it("in a mixed file each line keeps its own ending", async () => {
    const args = { old_string: "a\nb\nc\n", new_string: "1\r\n2\r\n3\r\n4\r\n" };
    expect(await call("a\r\nb\nc\r\nd\n", "edit", args)).toBe("1\r\n2\n3\r\n4\r\nd\n");
  });

  it("a file without line endings accepts any", async () => {
    expect(await call("b", "edit", { old_string: "b", new_string: "x\r\ny" })).toBe("x\r\ny");
    expect(await call("b", "replace_in_file", { find: "b", replace: "x\r\ny" })).toBe("x\r\ny");
    const insert = { operation: "insert", start_line: 1, content: "x\r\ny\r\n" };
    expect(await call("b", "edit_lines", insert)).toBe("b\r\nx\r\ny");
    expect(await call("", "edit_lines", { ...insert, start_line: 0 })).toBe("x\r\ny\r\n");
  });

  it("never mixes line endings in a file that has one kind, for any input", async () => {
    const content = fc.array(fc.constantFrom("x", "\n", "\r\n", "y"), { minLength: 1, maxLength: 8 });
    const change = fc.constantFrom(...Object.entries(CHANGES));
    await fc.assert(
      fc.asyncProperty(content, change, fc.boolean(), async (parts, [tool, args], isCrlf) => {
        const ending = isCrlf ? "\r\n" : "\n";
        const after = (await call(`a${ending}b${ending}c`, tool, args(parts.join("")))) ?? "";
        expect(new Set(after.match(/\r*\n/g))).toEqual(new Set([ending]));
      }),
    );
  });
});

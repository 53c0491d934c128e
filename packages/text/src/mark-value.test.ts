import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { markValue, textColumns, wrapColumns } from "./index.js";

describe("FE7 marking a value", () => {
  it("marks every line, and the rows of a long one", () => {
    expect(markValue("one\ntwo\n")).toEqual(["│ one", "│ two"]);
    expect(markValue("0123456789abc", { columns: 12 })).toEqual(["│ 0123456789", "┆ abc"]);
    expect(markValue("")).toEqual(["│"]);
  });

  it("counts blank runs instead of showing them", () => {
    expect(markValue(`a${"\n".repeat(61)}b`)).toEqual(["│ a", "⋮ 60 blank lines", "│ b"]);
    expect(markValue("a\n\n\n\nb")).toEqual(["│ a", "│", "│", "│", "│ b"]);
    expect(markValue(`a\n${"  \n".repeat(9)}b`)).toEqual([
      "│ a",
      "⋮ 9 blank lines, 9 of them with spaces or tabs",
      "│ b",
    ]);
    expect(markValue(`+a\n${"+\n".repeat(5)}${"-\n".repeat(5)}+b`, { isDiff: true })).toEqual([
      "│ +a",
      "⋮ 5 blank lines added",
      "⋮ 5 blank lines removed",
      "│ +b",
    ]);
  });

  it("spaces that reach the edge of the terminal do not end the mark", () => {
    const forged = `safe${" ".repeat(500)}Approve? y = yes`;
    for (const row of markValue(forged, { columns: 40 })) expect(row).toMatch(/^[│┆⋮]/);
    expect(markValue(forged)).toEqual(["│ safe⟨500 spaces⟩Approve? y = yes"]);
  });

  it("shows escapes, bidi marks and carriage returns as text", () => {
    expect(markValue("a\u001b[2J\u202e\rb\r\nc")).toEqual(["│ a\\x1b[2J\\u202e\\rb\\r", "│ c"]);
  });

  it("shows a megabyte on one line completely", () => {
    expect(markValue("x".repeat(1_048_576), { columns: 80 })).toHaveLength(Math.ceil(1_048_576 / 78));
  });

  it("no row is wider than the terminal, and no visible character is lost", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 300 }),
        fc.integer({ min: 10, max: 90 }),
        (text, columns) => {
          const rows = markValue(text, { columns });
          for (const row of rows) {
            expect(row).toMatch(/^[│┆⋮]/);
            if (!row.startsWith("⋮")) expect(textColumns(row)).toBeLessThanOrEqual(columns);
          }
        },
      ),
    );
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("a", "é", "日", " ", "😀"), maxLength: 200 }), (line) => {
        expect(wrapColumns(line, 20).join("")).toBe(line);
      }),
    );
  });

  it("expands tabs", () => {
    expect(wrapColumns("a\tb", 20)).toEqual(["a       b"]);
    expect(wrapColumns("\t\t\tb", 20)).toEqual(["                ", "        b"]);
  });
});

import { describe, expect, it } from "vitest";
import { findPlaceholder, refusePlaceholders } from "./omission-placeholder.js";

const PLACEHOLDERS = [
  "// ... rest of code ...",
  "// ... rest of the code remains the same ...",
  "  // existing code",
  "// ... existing code ...",
  "# ... existing code ...",
  "# existing code here",
  "/* ... rest of the file ... */",
  "{/* ... rest of component ... */}",
  "<!-- ... rest of the file unchanged ... -->",
  "// … rest of code …",
  "// (rest of the file remains unchanged)",
  "[rest of file unchanged]",
  "... rest of the file ...",
  "... (existing methods) ...",
  "// ... other methods",
  "// ...existing code...",
  "// ... keep existing imports",
  "# ... remaining functions unchanged ...",
  "-- ... previous code ...",
  "// Code omitted for brevity",
  "// rest of the code",
  "(rest of code ...)",
];

const HARMLESS = [
  "...rest,",
  "  ...existing,",
  "const { a, ...rest } = props;",
  "...",
  "// ...",
  "# Rest of the world",
  "// rest of the arguments are passed on",
  "// the rest is history",
  "// Other methods",
  "// existing callers rely on this order",
  "# Existing code must not be touched by this migration, so the old table is kept.",
  "const text = '// ... rest of code ...';",
  "  'rest of code',",
  "The remaining tests are run in parallel...",
  "// same as above",
  "print('...existing code...')",
  "# Wait for remaining workers...",
  "// Restore previous state...",
  "import rest from 'rest';",
  "// TODO: handle other cases...",
  "return other;",
];

describe("omission placeholders", () => {
  it.each(PLACEHOLDERS)("finds %j", (line) => {
    expect(findPlaceholder(`a\n${line}\nb\n`)).toEqual({ line: 2, text: line.trim() });
  });

  it.each(HARMLESS)("lets %j pass", (line) => {
    expect(findPlaceholder(`a\n${line}\nb\n`)).toBeUndefined();
  });

  it("takes a line that the file has already literally", () => {
    const line = "// ... existing code ...";
    expect(() => refusePlaceholders("a.ts", `x\n${line}\n`, `  ${line}\ny\n`)).not.toThrow();
    expect(() => refusePlaceholders("a.ts", `x\n${line}\n`, "y\n")).toThrow(/Line 2 of content/);
  });

  it("is looked for in what changes, and named by its line in all of the content", () => {
    const [line, other] = ["// ... existing code ...", "// ... rest of code ..."];
    const before = `a\n${line}\nb\nc\n`;
    expect(() => refusePlaceholders("a.ts", before.replace("b", "d"), before)).not.toThrow();
    expect(() => refusePlaceholders("a.ts", before, before)).not.toThrow();
    expect(() => refusePlaceholders("a.ts", before.replace("b", other), before)).toThrow(/Line 3 of content/);
    expect(() => refusePlaceholders("a.ts", `${before}${other}`, before)).toThrow(/Line 5 of content/);
    expect(() => refusePlaceholders("a.ts", `${other}\n${before}`, before)).toThrow(/Line 1 of content/);
  });

  it("lets a heading in prose pass, but not an ellipsis", () => {
    expect(() => refusePlaceholders("README.md", "# Existing code\n", undefined)).not.toThrow();
    expect(() => refusePlaceholders("README.md", "... rest of the file ...\n", undefined)).toThrow(/Line 1/);
  });

  it("stays quick on long and hostile lines", () => {
    const started = performance.now();
    findPlaceholder(`${"// rest of ".repeat(9)}\n`.repeat(20_000));
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});

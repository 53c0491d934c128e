import { describe, expect, it } from "vitest";
import { measureProcessorTime } from "../../../../tooling/testing/processor-time.js";
import { findPlaceholder } from "./omission-placeholder.js";

const PLACEHOLDERS = [
  "// ... rest of code ...",
  "// ... rest of the code remains the same ...",
  "  // existing code",
  "// ... existing code ...",
  "# ... existing code ...",
  "# existing code here",
  "    # [previous code here]",
  "// original implementation goes here",
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
  "// ... (unchanged)",
  "# ... unchanged ...",
  "/* ... snip ... */",
  "<!-- ... (omitted) -->",
  "// ... same as before",
  "# ... rest unchanged ...",
  "// ... rest as before",
  "% ... existing ...",
];

const BARE = ["// ...", "# ...", "/* ... */", "{/* ... */}", "<!-- ... -->", "-- …", "  // …  "];

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
  "// rest unchanged values on the stack",
  "// ... existing callers rely on this",
  "import rest from 'rest';",
  "// TODO: handle other cases...",
  "return other;",
];

describe("omission placeholders", () => {
  it.each(PLACEHOLDERS)("finds %j", (line) => {
    expect(findPlaceholder(`a\n${line}\nb\n`)).toMatchObject({ line: 2, text: line.trim() });
  });

  it.each(HARMLESS)("ignores %j", (line) => {
    expect(findPlaceholder(`a\n${line}\nb\n`)).toBeUndefined();
  });

  it.each(BARE)("FA7 finds %j if lines of the file are removed there, and ignores it elsewhere", (line) => {
    const content = `a\n${line}\nb\n`;
    expect(findPlaceholder(content, { losesLines: true })).toMatchObject({ line: 2, text: line.trim() });
    expect(findPlaceholder(content)).toBeUndefined();
    expect(findPlaceholder(content, { path: "notes.md", losesLines: true })).toBeUndefined();
  });

  it.each(["...", " * ...", "* …", "f(...args);", "// see ...", "// ..", "a // ..."])(
    "lets %j pass also where lines of the file are gone",
    (line) => expect(findPlaceholder(`a\n${line}\n`, { losesLines: true })).toBeUndefined(),
  );

  it("ignores a heading in prose, but not an ellipsis", () => {
    expect(findPlaceholder("# Existing code\n", { path: "README.md" })).toBeUndefined();
    expect(findPlaceholder("... rest of the file ...\n", { path: "README.md" })).toMatchObject({ line: 1 });
  });

  it("stays quick on long and hostile lines", () => {
    const usedMs = measureProcessorTime();
    findPlaceholder(`${"// rest of ".repeat(9)}\n`.repeat(20_000));
    expect(usedMs()).toBeLessThan(1_000);
  });
});

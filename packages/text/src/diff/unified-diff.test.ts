import { applyPatch } from "diff";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { measureProcessorTime } from "../../../../tooling/testing/processor-time.js";
import { unifiedDiff, unifiedDiffSteps } from "../index.js";

const everyLine = { maxLines: Number.POSITIVE_INFINITY };

function apply(before: string, patch: string): string | false {
  return applyPatch(before, patch, { autoConvertLineEndings: false });
}

describe("unifiedDiff", () => {
  it("shows a change with three lines around it", () => {
    const before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
    expect(unifiedDiff({ path: "n.txt", before, after: before.replace("5", "five") })).toEqual({
      text: "--- a/n.txt\n+++ b/n.txt\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n",
      added: 1,
      removed: 1,
      truncated: false,
    });
  });

  it("is empty if nothing changed", () => {
    expect(unifiedDiff({ path: "a", before: "x\n", after: "x\n" })).toEqual({
      text: "",
      added: 0,
      removed: 0,
      truncated: false,
    });
    expect(unifiedDiff({ path: "a" }).text).toBe("");
  });

  it("names /dev/null for a side that does not exist", () => {
    expect(unifiedDiff({ path: "new", after: "x\ny\n" }).text).toBe(
      "--- /dev/null\n+++ b/new\n@@ -0,0 +1,2 @@\n+x\n+y\n",
    );
    expect(unifiedDiff({ path: "old", before: "x\n" }).text).toBe(
      "--- a/old\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-x\n",
    );
    expect(unifiedDiff({ path: "empty", after: "" }).text).toBe("--- /dev/null\n+++ b/empty\n");
  });

  it("names both files of a move", () => {
    expect(unifiedDiff({ path: "b", fromPath: "a", before: "x\n", after: "x\n" }).text).toBe(
      "--- a/a\n+++ b/b\n",
    );
  });

  it("quotes a name that would break the header", () => {
    expect(unifiedDiff({ path: 'a\n"b\\\x1b\t\r', after: "" }).text).toBe(
      '--- /dev/null\n+++ "b/a\\n\\"b\\\\\\033\\t\\r"\n',
    );
    expect(unifiedDiff({ path: "日本 x", after: "" }).text).toBe("--- /dev/null\n+++ b/日本 x\n");
  });

  it.each([
    ["a\nb", "a\nb\n", "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n"],
    ["a\nb\n", "a\nb", "@@ -1,2 +1,2 @@\n a\n-b\n+b\n\\ No newline at end of file\n"],
    ["a\nb", "c\nb", "@@ -1,2 +1,2 @@\n-a\n+c\n b\n\\ No newline at end of file\n"],
    ["a\r\nb\r\n", "a\r\nB\r\n", "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+B\r\n"],
    ["a\r\n", "a\n", "@@ -1,1 +1,1 @@\n-a\r\n+a\n"],
    ["\nx\n", "y\nx\n", "@@ -1,2 +1,2 @@\n-\n+y\n x\n"],
  ])("%j to %j", (before, after, hunks) => {
    expect(unifiedDiff({ path: "f", before, after }).text).toBe(`--- a/f\n+++ b/f\n${hunks}`);
  });

  it("joins changes that share context and separates distant ones", () => {
    const lines = Array.from({ length: 20 }, (_, index) => `${index}\n`);
    const edited = (...at: number[]) =>
      lines.map((line, index) => (at.includes(index) ? `x${line}` : line)).join("");
    const hunks = (...at: number[]) =>
      unifiedDiff({ path: "f", before: lines.join(""), after: edited(...at) }).text.match(/^@@/gm)?.length;
    expect(hunks(3, 10)).toBe(1);
    expect(hunks(3, 11)).toBe(2);
  });

  it("truncates at maxLines and counts the omitted lines", () => {
    const after = Array.from({ length: 300 }, (_, index) => `${index}\n`).join("");
    const { text, added, truncated } = unifiedDiff({ path: "f", after });
    expect({ added, truncated }).toEqual({ added: 300, truncated: true });
    expect(text.match(/^\+\d/gm)).toHaveLength(200);
    expect(text.endsWith("+199\n… 100 more lines of this diff not shown\n")).toBe(true);
    expect(unifiedDiff({ path: "f", before: "a", after: "b", maxLines: 1 }).text).toContain(
      "… 1 more line of",
    );
    expect(unifiedDiff({ path: "f", after: "a\n", maxLines: 0 }).text).toBe(
      "--- /dev/null\n+++ b/f\n… 1 more line of this diff not shown\n",
    );
  });

  it("produces the new text when applied", () => {
    const text = fc
      .array(fc.constantFrom("a\n", "b\n", "c\r\n", "\n", "\r\n", "d\r", "…\n", "e"), { maxLength: 14 })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, text, fc.integer({ min: 0, max: 4 }), (before, after, contextLines) => {
        const diff = unifiedDiff({ path: "f", before, after, contextLines, ...everyLine });
        expect(apply(before, diff.text)).toBe(after);
        expect(diff.added - diff.removed).toBe(
          (diff.text.match(/^\+(?!\+\+ )/gm)?.length ?? 0) - (diff.text.match(/^-(?!-- )/gm)?.length ?? 0),
        );
      }),
      { numRuns: 3000 },
    );
  });

  it("applies if edits are far apart in a long text", () => {
    const edit = fc.tuple(fc.nat(9999), fc.constantFrom("", "new\n", "two\nlines\n", "last"));
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 4 }), (edits) => {
        const lines = Array.from({ length: 10_000 }, (_, index) => `line ${index % 700}\n`);
        const before = lines.join("");
        for (const [at, replacement] of edits) lines[at] = replacement;
        const after = lines.join("");
        expect(apply(before, unifiedDiff({ path: "f", before, after, ...everyLine }).text)).toBe(after);
      }),
      { numRuns: 20 },
    );
  });

  it("applies if most lines changed", () => {
    const line = fc.oneof(fc.nat(40), fc.nat(100_000)).map((number) => `${number}\n`);
    const text = fc.array(line, { minLength: 100, maxLength: 160 }).map((lines) => lines.join(""));
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(apply(before, unifiedDiff({ path: "f", before, after, ...everyLine }).text)).toBe(after);
      }),
      { numRuns: 1000 },
    );
  });

  it("finds every unchanged line, however many changed around it", () => {
    const lines = Array.from({ length: 10_000 }, (_, index) => `line ${index % 3000}\n`);
    const before = lines.join("");
    const after = lines.map((line, index) => (index % 20 === 0 ? `new ${index}\n` : line)).join("");
    const diff = unifiedDiff({ path: "f", before, after, ...everyLine });
    expect(diff).toMatchObject({ added: 500, removed: 500 });
    expect(apply(before, diff.text)).toBe(after);
  });

  it("replaces the middle as a whole if a search would take too long", () => {
    const shuffled = (step: number) =>
      Array.from({ length: 5000 }, (_, index) => `${(index * step) % 5003}\n`).join("");
    const before = `same\n${shuffled(7)}end\n`;
    const after = `same\n${shuffled(1999)}end\n`;
    const diff = unifiedDiff({ path: "f", before, after, ...everyLine });
    expect(diff.added).toBeGreaterThan(4990);
    expect(diff.text.match(/^@@/gm)).toHaveLength(1);
    expect(apply(before, diff.text)).toBe(after);
  });

  it("takes no noticeable time for two texts without a common line", () => {
    const numbered = (name: string) =>
      Array.from({ length: 10_000 }, (_, index) => `${name} ${index}\n`).join("");
    const before = `same\n${numbered("old")}end\n`;
    const after = `same\n${numbered("new")}end\n`;
    const usedMs = measureProcessorTime();
    const diff = unifiedDiff({ path: "f", before, after, ...everyLine });
    expect(usedMs()).toBeLessThan(1000);
    expect(diff).toMatchObject({ added: 10_000, removed: 10_000 });
    expect(diff.text.split("\n").slice(2, 5)).toEqual(["@@ -1,10002 +1,10002 @@", " same", "-old 0"]);
    expect(apply(before, diff.text)).toBe(after);
  });
});

describe("FR8 a diff of millions of lines", () => {
  it("shows them as replaced, with the lines around them, and is still a patch", () => {
    const [head, tail] = ["1\n2\n3\n4\n", "5\n6\n7\n8\n"];
    const [before, after] = [
      `${head}${"a\n".repeat(400_000)}${tail}`,
      `${head}${"b\n".repeat(300_000)}${tail}`,
    ];
    const { text, added, removed, truncated } = unifiedDiff({
      path: "f",
      before,
      after,
      maxLines: 1_000_000,
    });
    expect({ added, removed, truncated }).toEqual({ added: 300_000, removed: 400_000, truncated: false });
    const [, , header, ...lines] = text.trimEnd().split("\n");
    expect(header).toBe("@@ -2,400006 +2,300006 @@");
    const side = (sign: string) => lines.filter((line) => line.startsWith(sign) || line.startsWith(" "));
    expect(side("-").map((line) => line.slice(1))).toEqual(before.split("\n").slice(1, -2));
    expect(side("+").map((line) => line.slice(1))).toEqual(after.split("\n").slice(1, -2));
  });

  it("stops at the given number of lines", () => {
    const diff = unifiedDiff({ path: "f", before: "a\n".repeat(700_000), after: "b\n", maxLines: 5 });
    expect(diff.text).toBe(
      "--- a/f\n+++ b/f\n@@ -1,700000 +1,1 @@\n-a\n-a\n-a\n-a\n-a\n… 699996 more lines of this diff not shown\n",
    );
  });

  it("is computed in steps that each take a small part of the text", () => {
    const lines = 400_000;
    const steps = unifiedDiffSteps({ path: "f", before: "a\n".repeat(lines), after: "b\n".repeat(lines) });
    expect([...steps].length).toBeGreaterThan(2 * ((2 * lines) / 20_000));
    const created = unifiedDiffSteps({ path: "f", after: "b\n".repeat(lines), maxLines: lines });
    expect([...created].length).toBeGreaterThan(2 * ((2 * lines) / 20_000));
  });
});

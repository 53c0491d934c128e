import { describe, expect, test } from "vitest";
import { sizeWords } from "../client/parts/change-words.js";
import { linesOf } from "../client/parts/parse-diff.js";

const diff = "--- a/f\n+++ b/f\n@@ -1,1 +1,2 @@\n-one\n+two\n+three\n";
const FOLDER = { kind: "delete", path: "old", entries: 2_302 } as const;
const FILES = ["f", "g"].map((path) => ({ kind: "modify", path, diff }) as const);

describe("the size of changes", () => {
  test("FE7 counts the content of a deleted folder", () => {
    expect(sizeWords([FOLDER])).toBe("1 folder with 2,302 entries");
    expect(sizeWords([{ ...FOLDER, entries: 1 }, ...FILES])).toBe("1 folder with 1 entry, 2 files");
    expect(sizeWords([])).toBe("No files");
  });

  test("FE7 does not count a folder that is created as a file", () => {
    const file = { kind: "create", path: "new/f", diff, afterHash: "5891" } as const;
    expect(sizeWords([{ kind: "create", path: "new" }, file])).toBe("1 file, 1 new folder");
  });

  test("S3.APPR does not count the headers of diffs as lines", () => {
    expect(linesOf(FILES)).toEqual({ added: 4, removed: 2 });
  });
});

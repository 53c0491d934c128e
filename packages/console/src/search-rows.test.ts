import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createNodeRuntime } from "@haft/runtime-node";
import "@haft/tool-search";
import { expect, test } from "vitest";
import { searchRows } from "../client/session/search-rows.js";

/** The output of grep about these files, as a card shows it. */
async function rowsOf(files: Readonly<Record<string, string>>, args: object) {
  const root = mkdtempSync(join(tmpdir(), "haft-rows-"));
  for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text);
  try {
    await using runtime = await createNodeRuntime({ workspace: root, role: "reader" });
    return searchRows((await runtime.call("grep", args)).text);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

test("S4 console: every hit links to its own file, whatever its name", async () => {
  const files = {
    "a.ts": "x\nneedle a: 7: of.ts\n",
    "b.test.ts": "1: needle\n",
    Makefile: "all:\n\tneedle\n",
    "12-notes.txt": "needle\n",
  };
  const rows = await rowsOf(files, { pattern: "needle" });
  const hits = rows.flatMap((row) =>
    row.kind === "line" && row.text.includes("needle") ? [[row.path, row.line]] : [],
  );
  expect(hits.toSorted()).toEqual([
    ["12-notes.txt", 1],
    ["Makefile", 2],
    ["a.ts", 2],
    ["b.test.ts", 1],
  ]);
  expect(rows.flatMap((row) => (row.kind === "file" ? [row.path] : [])).toSorted()).toEqual(
    Object.keys(files).toSorted(),
  );
  expect(rows.filter(({ kind }) => kind === "note").length).toBe(2);
});

test("S4 console: recognizes omitted lines, lists of files and searches without a hit", async () => {
  const lines = Array.from({ length: 200 }, (_, index) => (index % 100 === 0 ? "needle" : "hay")).join("\n");
  const rows = await rowsOf({ Makefile: lines }, { pattern: "needle", context: 0 });
  expect(rows.map(({ kind }) => kind)).toEqual(["note", "file", "line", "note", "line", "note"]);
  expect(searchRows("src/a.ts:12: found\nREADME.md\nNothing else.")).toEqual([
    { kind: "line", path: "src/a.ts", line: 12, text: "found" },
    { kind: "file", path: "README.md" },
    { kind: "note", text: "Nothing else." },
  ]);
  const none = await rowsOf({ Makefile: lines }, { pattern: "absent" });
  expect(none.every(({ kind }) => kind === "note")).toBe(true);
});

import { describe, expect, it } from "vitest";
import { editRuntime } from "./testing.fixture.js";

const BEFORE = "function total() {\n  const a = 1;\n  const b = 2;\n  return a + b;\n}\n";
const OMITTED = "  // ... existing code ...";
const lines = BEFORE.split("\n");

const diff = `--- a/a.ts\n+++ b/a.ts\n@@ -1,5 +1,3 @@\n ${lines[0]}\n-${lines[1]}\n-${lines[2]}\n-${lines[3]}\n+${OMITTED}\n ${lines[4]}\n`;

const CALLS: readonly (readonly [string, object])[] = [
  ["edit", { path: "a.ts", old_string: lines.slice(1, 4).join("\n"), new_string: OMITTED }],
  ["edit", { path: "a.ts", edits: [{ old_string: lines.slice(1, 3).join("\n"), new_string: OMITTED }] }],
  ["edit_lines", { path: "a.ts", operation: "replace", start_line: 2, end_line: 4, content: OMITTED }],
  ["replace_in_file", { path: "a.ts", find: lines.slice(1, 4).join("\n"), replace: OMITTED }],
  ["apply_patch", { patch: diff }],
  [
    "apply_patch",
    { patch: `*** Begin Patch\n*** Update File: a.ts\n@@\n-${lines[1]}\n+${OMITTED}\n*** End Patch` },
  ],
  ["apply_patch", { patch: `*** Begin Patch\n*** Add File: b.ts\n+${OMITTED}\n*** End Patch` }],
];

describe("FA7 every editing tool refuses a placeholder for omitted text", () => {
  it.each(CALLS)("%s %j", async (tool, args) => {
    const { runtime } = editRuntime({ "a.ts": BEFORE });
    expect(await runtime.call(tool, args)).toMatchObject({
      ok: false,
      error: { code: "OMISSION_PLACEHOLDER", details: { text: OMITTED.trim() } },
    });
    expect(await runtime.workspaceFiles()).toEqual({ "a.ts": BEFORE });
  });

  it.each(["// ...", "/* ... */", "// ... (unchanged)"])("refuses %j in place of lines", async (omitted) => {
    const { runtime, text } = editRuntime({ "a.ts": BEFORE });
    const args = { path: "a.ts", old_string: lines.slice(1, 4).join("\n"), new_string: omitted };
    expect(await runtime.call("edit", args)).toMatchObject({
      ok: false,
      error: { code: "OMISSION_PLACEHOLDER" },
    });
    expect(await text("a.ts")).toBe(BEFORE);
  });

  it("keeps a bare comment of dots that replaces no lines", async () => {
    const { runtime } = editRuntime({ "a.ts": BEFORE });
    const args = { path: "a.ts", old_string: lines[1], new_string: `${lines[1]}\n  // ...` };
    expect(await runtime.call("edit", args)).toMatchObject({ ok: true });
  });

  it("keeps a line that the file already has", async () => {
    const { runtime, text } = editRuntime({ "a.ts": `${OMITTED}\nold\n` });
    const args = { path: "a.ts", old_string: `${OMITTED}\nold`, new_string: `${OMITTED}\nnew` };
    expect(await runtime.call("edit", args)).toMatchObject({ ok: true });
    expect(await text("a.ts")).toBe(`${OMITTED}\nnew\n`);
  });
});

import { describe, expect, it } from "vitest";
import { StallMeter } from "../../../tooling/testing/stall-meter.js";
import { editRuntime } from "./testing.fixture.js";

/** The longest time that a call blocked the event loop, and the call's result. */
async function stallOf(files: Record<string, string>, tool: string, args: object) {
  const { runtime } = editRuntime(files);
  const meter = new StallMeter();
  const result = await runtime.call(tool, args);
  const { ms } = meter.take();
  meter.stop();
  return { code: result.ok ? "ok" : result.error.code, stallMs: ms };
}

const SAME = "a\n".repeat(200_000);
const RUN = " a\n".repeat(1_000);
const update = (hunks: string) => `*** Begin Patch\n*** Update File: f\n${hunks}*** End Patch`;

describe("FR8 hostile edits do not block the event loop", () => {
  it.each([
    [
      "a hunk that almost fits everywhere",
      "apply_patch",
      { patch: `--- a/f\n+++ b/f\n@@ -2,1002 +2,1002 @@\n${RUN}-z\n+y\n a\n` },
      "PATCH_FAILED",
    ],
    [
      "a marked hunk that almost fits everywhere",
      "apply_patch",
      { patch: update(`@@\n${RUN}-z\n+y\n`) },
      "PATCH_FAILED",
    ],
    [
      "2,000 anchors that are nowhere",
      "apply_patch",
      { patch: update("@@ no\n-a\n+b\n".repeat(2_000)) },
      "PATCH_FAILED",
    ],
    [
      "a file name before 200,000 blanks",
      "apply_patch",
      { patch: `--- a/f${" ".repeat(200_000)}\n+++ b/f${"\t".repeat(200_000)}\n@@ -1 +1 @@\n-z\n+b\n` },
      "PATCH_FAILED",
    ],
    [
      "lines that almost fit everywhere",
      "edit",
      { path: "f", old_string: `${"a \n".repeat(1_000)}z`, new_string: "" },
      "EDIT_NOT_FOUND",
    ],
    [
      "indented lines that almost fit",
      "edit",
      { path: "f", old_string: `${"  a\n".repeat(1_000)}z`, new_string: "" },
      "EDIT_NOT_FOUND",
    ],
    [
      "a new text that almost occurs everywhere",
      "edit",
      { path: "f", old_string: "zz", new_string: `${"a\n".repeat(2_000)}x${"a\n".repeat(2_000)}` },
      "EDIT_NOT_FOUND",
    ],
    [
      "a replacement of 10 billion characters",
      "replace_in_file",
      { path: "f", find: "(?s)(.*)", replace: "$1".repeat(25_000), is_regex: true },
      "OUTPUT_TOO_LARGE",
    ],
  ])("%s", async (_title, tool, args, expected) => {
    const { code, stallMs } = await stallOf({ f: SAME }, tool, args);
    expect(code).toBe(expected);
    // It once took 0.5 to 60 s. Twice the promised 250 ms, because under load each instruction takes longer too.
    expect(stallMs).toBeLessThan(500);
  });

  it("refuses a file with too many lines to search, and names the remedy", async () => {
    const { runtime } = editRuntime({ f: "a\n".repeat(2_100_000) });
    const patch = "--- a/f\n+++ b/f\n@@ -9 +9 @@\n-z\n+b\n";
    expect(await runtime.call("apply_patch", { patch })).toMatchObject({
      ok: false,
      error: { code: "FILE_TOO_LARGE", hint: expect.stringContaining("edit_lines") },
    });
  });
});

import { createTestRuntime } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { realRuntime } from "../test-support/real-runtime.js";
import { Glob, Grep, Search } from "./index.js";

const files = {
  ".gitignore": "*.log\nout/\n",
  "a.log": "needle\n",
  "out/b.ts": "needle\n",
  "src/c.ts": "export const needle = 1;\nother\nneedle();\n",
  "src/deep/d.tsx": "Needle\n",
  "src/.hidden/e.ts": "needle\n",
  "dist/f.ts": "needle\n",
  "needle.md": "nothing\n",
};

/** Removes what depends on the location of the files. */
function comparable(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, inner) => (key === "absolutePath" || key === "modified" ? undefined : inner)),
  );
}

describe("a workspace without a disk gives the same answers as one with a disk", () => {
  it.each([
    ["grep", { pattern: "needle" }],
    ["grep", { pattern: "needle", output_mode: "count", include_hidden: false }],
    ["grep", { pattern: "Needle", case_sensitive: true, include_ignored: true, context: 1 }],
    ["grep", { pattern: "needle", path: "a.log" }],
    ["grep", { pattern: "absent" }],
    ["glob", { pattern: "**/*.ts" }],
    ["glob", { pattern: ["out/*", "src/**", "!*.tsx"], include_hidden: true }],
    ["search", { query: "needle" }],
  ])("%s %j", async (tool, args) => {
    const { succeed } = await realRuntime({ files });
    const memory = createTestRuntime({ tools: [Grep, Glob, Search], files });
    const result = await memory.call(tool, args);
    const onDisk = await succeed(tool, args);
    expect(result.text).toBe(onDisk.text);
    expect(comparable(result.ok && result.value)).toEqual(comparable(onDisk.value));
  });
});

import { createTestRuntime } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { ToolError } from "../error/tool-error.js";
import { s } from "../schema/schema-builder.js";
import { defineTool } from "../tool/define-tool.js";
import { resolveReferences, withoutReferences } from "./tool-references.js";

const offered = new Map([
  ["grep", "Grep"],
  ["edit", "Edit"],
]);
const resolve = (text: string) => resolveReferences(text, (name) => offered.get(name));

describe("FP9 references to other tools", () => {
  it.each([
    ["Use [[grep]] to find text.", "Use Grep to find text."],
    ["Read a file. Use [[glob]] to find one.", "Read a file."],
    ["Read it; find text with [[grep]], names with [[glob]].", "Read it; find text with Grep."],
    ["For names use [[glob]], for text use [[grep]].", "For text use Grep."],
    ["Plain a[[0]] and [[ -f x ]] stay.", "Plain a[[0]] and [[ -f x ]] stay."],
    ["First line.\nUse [[glob]].\nLast line.", "First line.\nLast line."],
    ["For one use [[edit]], for many use [[glob]]; and stop.", "For one use Edit, and stop."],
    ["Use [[glob]].", ""],
    ["no reference", "no reference"],
    ["Did you mean app/[[id]]/page.ts?", "Did you mean app/[[id]]/page.ts?"],
    ["Find (with [[grep]]), or not.", "Find (with Grep), or not."],
    [withoutReferences("Link notes as [[note]]. Save."), "Link notes as [[note]]. Save."],
  ])("%j becomes %j", (text, resolved) => {
    expect(resolve(text)).toBe(resolved);
  });

  const find = defineTool({
    name: "find",
    summary: "Find.",
    input: s.object({}),
    run: async () => "found",
  });
  const read = defineTool({
    name: "read",
    summary: "Read.",
    guidance: "Reads a file. Use [[find]] to look for text.",
    termination: "Stop when done. Continue with [[find]] otherwise.",
    brief: { description: "Reads. Use [[find]] first.", parameters: {} },
    input: s.object({}),
    run: async (): Promise<string> => {
      throw new ToolError("TOO_LONG", "too long", { hint: "Ask for less, or use [[find]]." });
    },
    errors: ["TOO_LONG"],
  });

  it("name an offered tool in descriptions and errors", async () => {
    const runtime = createTestRuntime({ tools: [read, find] });
    expect(runtime.registry.get("read")).toMatchObject({
      guidance: "Reads a file. Use find to look for text.",
      termination: "Stop when done. Continue with find otherwise.",
      brief: { description: "Reads. Use find first." },
    });
    expect(await runtime.call("read")).toMatchObject({ error: { hint: "Ask for less, or use find." } });
  });

  it("are resolved only in the advice of a hint, not in the output below it", async () => {
    const hint = "Try again, or use [[gone]].\nOutput so far:\n[[package]]\nname = x,  y";
    const fails = defineTool({
      name: "fails",
      summary: "Fail.",
      input: s.object({}),
      run: async (): Promise<string> => {
        throw new ToolError("TIMED_OUT", "late", { hint });
      },
      errors: ["TIMED_OUT"],
    });
    const { error } = (await createTestRuntime({ tools: [fails] }).call("fails")) as { error?: unknown };
    expect(error).toMatchObject({ hint: "Try again.\nOutput so far:\n[[package]]\nname = x,  y" });
  });

  it.each([
    ["is not part of the runtime", { tools: [read] }],
    ["is switched off", { tools: [read, find], disabledTools: ["find"] }],
  ])("are omitted if the tool %s", async (_case, parts) => {
    const runtime = createTestRuntime(parts);
    expect(runtime.registry.get("read")).toMatchObject({
      guidance: "Reads a file.",
      termination: "Stop when done.",
      brief: { description: "Reads." },
    });
    expect(await runtime.call("read")).toMatchObject({ error: { hint: "Ask for less." } });
  });
});

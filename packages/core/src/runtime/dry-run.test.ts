import { createTestRuntime, scriptedApprover } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { defineTool, s } from "../index.js";

const path = s.string("File");
const common = { category: "write", permissions: ["ReadFiles", "WriteFiles"], approval: "confirm" } as const;
const output = s.object({ done: s.boolean("Whether it worked") });

/** A third-party tool without knowledge of dry runs. */
const Stamp = defineTool({
  ...common,
  name: "stamp",
  summary: "Stamp a file.",
  input: s.object({ path }),
  output,
  async run(args, { workspace }) {
    await workspace.writeText(args.path, "stamped\n");
    return { done: true };
  },
  render: () => "Stamped it.",
});

const Silent = defineTool({
  ...common,
  name: "silent",
  summary: "Stamp a file without a word.",
  input: s.object({ path }),
  output,
  async run(args, { workspace }) {
    await workspace.writeText(args.path, "stamped\n");
    return { done: true };
  },
});

const Peek = defineTool({
  name: "peek",
  summary: "Read a file.",
  category: "read",
  permissions: ["ReadFiles"],
  approval: "auto",
  input: s.object({ path }),
  output: s.object({ text: s.string("Content") }),
  run: async (args, { workspace }) => ({ text: await workspace.readText(args.path) }),
  render: ({ text }) => text,
});

describe("FA13 a dry run", () => {
  const dry = async (tool: string, content = "old\n") => {
    const runtime = createTestRuntime({ tools: [Stamp, Silent, Peek], files: { "a.txt": content } });
    const result = await runtime.call(tool, { path: "a.txt" }, { dryRun: true });
    expect(await runtime.workspaceFiles()).toEqual({ "a.txt": content });
    return result;
  };

  it("is recognisable in text and value although the tool claims success", async () => {
    const result = await dry("stamp");
    expect(result).toMatchObject({ ok: true, preview: true });
    expect(result.text).toBe(
      "[Dry Run] Stamped it.\n--- a/a.txt\n+++ b/a.txt\n@@ -1,1 +1,1 @@\n-old\n+stamped\nNothing was changed.",
    );
  });

  it("is recognisable for a tool without its own text", async () => {
    const { text } = await dry("silent");
    expect(text).toMatch(/^\[Dry Run\] \{"done":true\}\n--- a\/a\.txt\n.*\nNothing was changed\.$/s);
  });

  it("is recognisable for a tool that only reads", async () => {
    expect(await dry("peek")).toMatchObject({ preview: true, text: "[Dry Run] old\n\nNothing was changed." });
  });

  it("keeps its last line when the diff exceeds the budget", async () => {
    const { text } = await dry("stamp", "a line of some length\n".repeat(20_000));
    expect(text).toMatch(/^\[Dry Run\] Stamped it\.\n.*\[cut: .*\]\nNothing was changed\.$/s);
  });

  it("does not change the text of a real call", async () => {
    const runtime = createTestRuntime({
      tools: [Stamp],
      files: { "a.txt": "old\n" },
      approver: scriptedApprover(true),
    });
    expect(await runtime.call("stamp", { path: "a.txt" })).toMatchObject({
      preview: false,
      text: "Stamped it.",
    });
  });
});

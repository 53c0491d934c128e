import { createTestRuntime, scriptedApprover } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { defineTool, s } from "../index.js";

const OMITTED = "// ... existing code ...";
const OTHER = "// ... rest of code ...";

const common = { category: "write", approval: "confirm", output: s.object({}) } as const;

/** A third-party tool that writes what the model sends. */
const Put = defineTool({
  ...common,
  name: "put",
  summary: "Write a file.",
  permissions: ["WriteFiles", "CreateFiles"],
  input: s.object({ path: s.string("File"), text: s.string("Content") }),
  async run({ path, text }, { workspace }) {
    await workspace.writeText(path, text);
    return {};
  },
});

const Splice = defineTool({
  ...common,
  name: "splice",
  summary: "Replace a stretch of a file.",
  permissions: ["ReadFiles", "WriteFiles"],
  input: s.object({ start: s.integer("From"), end: s.integer("To"), text: s.string("New text") }),
  async run({ start, end, text }, { workspace }) {
    const file = await workspace.readTextFile("a.ts");
    await workspace.spliceText("a.ts", file, [{ start, end, replacement: text }]);
    return {};
  },
});

/** A third-party tool that generates its own text. */
const Generate = defineTool({
  ...common,
  name: "generate",
  summary: "Write a template.",
  permissions: ["WriteFiles", "CreateFiles"],
  input: s.object({}),
  async run(_args, { workspace }) {
    await workspace.writeText("guide.ts", `${OMITTED}\n`);
    return {};
  },
});

const runtimeWith = (content: string) =>
  createTestRuntime({
    tools: [Put, Splice, Generate],
    files: { "a.ts": content },
    approver: scriptedApprover(true),
  });

describe("FA7 a placeholder for omitted text", () => {
  const put = async (before: string, text: string) => {
    const runtime = runtimeWith(before);
    const result = await runtime.call("put", { path: "a.ts", text });
    const { "a.ts": after } = await runtime.workspaceFiles();
    expect(after).toBe(result.ok ? text : before);
    return result.ok ? "written" : `${result.error.code} ${result.error.details?.line}`;
  };

  it("is refused for any tool that writes, and nothing is written", async () => {
    expect(await put("y\n", `x\n${OMITTED}\n`)).toBe("OMISSION_PLACEHOLDER 2");
    expect(await put("y\n", "x\n")).toBe("written");
  });

  it("is taken literally if the file already has the line", async () => {
    expect(await put(`  ${OMITTED}\ny\n`, `x\n${OMITTED}\n`)).toBe("written");
  });

  it("is searched for in the changes and reported by its line in the whole file", async () => {
    const before = `a\n${OMITTED}\nb\nc\n`;
    expect(await put(before, before.replace("b", "d"))).toBe("written");
    expect(await put(before, before.replace("b", OTHER))).toBe("OMISSION_PLACEHOLDER 3");
    expect(await put(before, `${before}${OTHER}`)).toBe("OMISSION_PLACEHOLDER 5");
    expect(await put(before, `${OTHER}\n${before}`)).toBe("OMISSION_PLACEHOLDER 1");
  });

  it("is found in a splice, even if the splice is only part of the line", async () => {
    const before = `${"const x = 1;\n".repeat(50)}// note\n${"const y = 2;\n".repeat(50)}`;
    const at = before.indexOf("note");
    for (const [start, end, text] of [
      [0, 13 * 3, `${OMITTED}\n`],
      [at, at + 4, "... rest of the code ..."],
    ] as const) {
      const runtime = runtimeWith(before);
      const result = await runtime.call("splice", { start, end, text });
      expect(result).toMatchObject({ ok: false, error: { code: "OMISSION_PLACEHOLDER" } });
      expect(await runtime.workspaceFiles()).toEqual({ "a.ts": before });
    }
    expect(await runtimeWith(before).call("splice", { start: 0, end: 5, text: "let other" })).toMatchObject({
      ok: true,
    });
  });

  it("is reported in a dry run as well", async () => {
    const args = { path: "a.ts", text: OMITTED };
    expect(await runtimeWith("").call("put", args, { dryRun: true })).toMatchObject({
      error: { code: "OMISSION_PLACEHOLDER" },
    });
  });

  it("does not count if the text is the tool's own and not the model's", async () => {
    expect(await runtimeWith("").call("generate", {})).toMatchObject({ ok: true });
  });
});

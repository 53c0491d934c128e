import { describe, expect, it } from "vitest";
import { connect } from "./fixtures/connect.js";

const ask = async (clientName: string, era: "legacy" | "modern", structured?: "always" | "never") => {
  const { client } = await connect({
    clientName,
    era,
    files: { "a.txt": "hello" },
    ...(structured && { options: { structured } }),
  });
  const { tools } = await client.listTools();
  const [tool] = tools.filter(({ name }) => name === "read_note");
  const result = await client.callTool({ name: "read_note", arguments: { path: "a.txt" } });
  return {
    hasSchema: tool?.outputSchema !== undefined,
    content: result.content,
    structured: result.structuredContent,
  };
};

describe.each(["legacy", "modern"] as const)("structured content, %s", (era) => {
  it.each(["claude-code", "codex-mcp-client", "Codex"])(
    "FU3 %s gets only text, and no output schema",
    async (name) => {
      const answer = await ask(name, era);
      expect(answer).toMatchObject({ hasSchema: false, structured: undefined });
      expect(JSON.stringify(answer.content)).toContain("hello");
    },
  );

  it("FU3 every other client gets both", async () => {
    const answer = await ask("some-client", era);
    expect(answer.hasSchema).toBe(true);
    expect(answer.structured).toBeDefined();
  });

  it("FU3 always and never hold for every client", async () => {
    expect((await ask("claude-code", era, "always")).structured).toBeDefined();
    expect((await ask("some-client", era, "never")).structured).toBeUndefined();
  });
});

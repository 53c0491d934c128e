import type { TypedTool } from "@haft/core";
import { formatSystemPrompt } from "@haft/prompt-formatter";
import { createTestRuntime } from "@haft/testing";
import * as edit from "@haft/tool-edit";
import * as exec from "@haft/tool-exec";
import * as fs from "@haft/tool-fs";
import * as search from "@haft/tool-search";
import * as web from "@haft/tool-web";
import { describe, expect, it } from "vitest";

const tools = [fs, edit, search, exec, web].flatMap((pack) =>
  Object.values(pack as Readonly<Record<string, unknown>>).filter(
    (exported): exported is TypedTool => typeof exported === "function" && "definition" in exported,
  ),
);
const names = tools.map(({ definition }) => definition.name);
/** Names that are not also ordinary words, such as "edit". */
const distinct = names.filter((name) => name.includes("_") || name === "grep" || name === "glob");

function open(offered: readonly TypedTool[], dialect: "canonical" | "claude" = "canonical") {
  const capabilities = { processes: {} as never, sandbox: {} as never, network: {} as never };
  return createTestRuntime({ tools: offered, dialect, ...capabilities });
}

describe("FP9 the texts for a model", () => {
  it.each(tools.map((tool) => [tool.definition.name, tool] as const))(
    "name no other tool where only %s is offered",
    (own, tool) => {
      expect(names.length).toBeGreaterThan(15);
      const described = open([tool]).tools();
      const [{ guidance = "", termination = "", brief, summary } = {} as never] = described;
      const ownWords = [own, ...Object.keys(tool.definition.input.properties ?? {})];
      const others = distinct.filter((name) => !ownWords.includes(name));
      const compact = formatSystemPrompt(described, { style: "compact" });
      for (const text of [summary, guidance, termination, brief?.description ?? "", compact]) {
        expect(others.filter((name) => new RegExp(`\\b${name}\\b`).test(text))).toEqual([]);
        expect(text).not.toContain("[[");
      }
      expect(compact.includes("Prefer")).toBe(own === "edit");
    },
  );

  it("name offered tools in the spelling of the dialect", () => {
    const guidance = open([fs.ReadFile, search.Grep], "claude").registry.get("Read")?.guidance;
    expect(guidance).toMatch(/with Grep\b/);
    expect(formatSystemPrompt(open(tools, "claude").tools(), { style: "compact" })).toContain(
      "Prefer Edit over",
    );
  });

  it("omit tools that the host lacks a capability for", () => {
    const listed = createTestRuntime({ tools })
      .tools()
      .map(({ canonicalName }) => canonicalName);
    expect(listed).toContain("read_file");
    const needy = ["execute_command", "process", "run_code", "web_fetch"];
    expect(listed.filter((name) => needy.includes(name))).toEqual([]);
  });

  it("refer only to existing tools", () => {
    const texts = tools.flatMap(({ definition: { guidance, termination, brief } }) => [
      guidance,
      termination,
      brief?.description,
    ]);
    const referred = texts.flatMap((text = "") =>
      [...text.matchAll(/\[\[(\w+)\]\]/g)].map(([, name = ""]) => name),
    );
    expect(referred.length).toBeGreaterThan(10);
    expect(referred.filter((name) => !names.includes(name))).toEqual([]);
  });
});

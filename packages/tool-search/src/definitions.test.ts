import { catalog, definitionOf } from "@haft/core";
import { createTestRuntime } from "@haft/testing";
import { describe, expect, it } from "vitest";
import * as pack from "./index.js";

const tools = [pack.Grep, pack.Glob, pack.Search];

describe("the definitions of the pack", () => {
  it("importing the pack registers its three tools, and exports nothing else", () => {
    const announced = catalog.snapshot().map((toolClass) => definitionOf(toolClass).name);
    expect(announced).toEqual(expect.arrayContaining(["grep", "glob", "search"]));
    expect(Object.keys(pack).sort()).toEqual(["Glob", "Grep", "Search"]);
  });

  it.each(createTestRuntime({ tools }).tools())(
    "S0.PERM.1 S0.DOC.3 $name only reads, asks nobody, and is documented",
    (tool) => {
      expect(tool).toMatchObject({ permissions: ["ReadFiles"], approval: "auto", category: "search" });
      expect(tool.pack).toBe("@haft/tool-search");
      expect(tool.examples.length).toBeGreaterThan(1);
      expect(tool.guidance?.split("\n").length).toBeGreaterThan(1);
      expect(tool.termination).toMatch(/stop|go on/i);
    },
  );

  it.each(["grep", "glob"])(
    "S0.DOC.1 %s says when to continue and when to stop, by the parameter",
    (name) => {
      const tool = createTestRuntime({ tools })
        .tools()
        .find((each) => each.name === name);
      expect(tool?.termination).toMatch(/terminate=false.*need.*terminate=true.*answers the user/);
    },
  );

  it("as Grep and Glob they have the parameters of their seed", () => {
    const spelled = createTestRuntime({ tools, dialect: "claude" }).tools();
    const parametersOf = (name: string) =>
      Object.keys(spelled.find((tool) => tool.name === name)?.input.properties ?? {});
    expect(parametersOf("Glob")).toEqual(["pattern", "path"]);
    expect(parametersOf("Grep").sort()).toEqual(
      [
        "pattern",
        "path",
        "-i",
        "multiline",
        "glob",
        "type",
        "output_mode",
        "-B",
        "-A",
        "-C",
        "-n",
        "head_limit",
        "offset",
      ].sort(),
    );
  });

  it("R9 spellings of a dialect are accepted but not offered", async () => {
    const runtime = createTestRuntime({ tools, files: { "a.tsx": "x\n" } });
    const grep = runtime.tools().find(({ name }) => name === "grep");
    expect(Object.keys(grep?.input.properties ?? {})).not.toContain("type");
    expect(await runtime.call("grep", { pattern: "x", type: "ts" })).toMatchObject({
      ok: true,
      value: { totalFiles: 1 },
    });
  });
});

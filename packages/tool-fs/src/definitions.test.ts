import { type AnyToolClass, catalog, definitionOf, type ToolDescription } from "@haft/core";
import { createTestRuntime } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { ALL_TOOLS } from "../fixtures/real-runtime.js";
import * as pack from "./index.js";

const described = new Map<string, ToolDescription>(
  createTestRuntime({ tools: ALL_TOOLS })
    .tools()
    .map((tool) => [tool.name, tool]),
);

/** The permissions that a tool requires; its description also names optional ones. */
const needs = (name: string) => ALL_TOOLS.map(definitionOf).find((own) => own.name === name)?.permissions;

describe("the definitions of the pack", () => {
  it("importing the pack registers all eight tools and exports them and its limits", () => {
    const announced = catalog.snapshot().map((toolClass) => definitionOf(toolClass).name);
    expect(announced).toEqual(expect.arrayContaining([...described.keys()]));
    expect([...described.keys()].sort()).toEqual([
      "append_file",
      "create_file",
      "delete_file",
      "list_directory",
      "move_file",
      "read_file",
      "update_file",
      "write_file",
    ]);
    expect(Object.keys(pack).sort()).toEqual([
      "AppendFile",
      "CreateFile",
      "DEFAULT_READ_LIMITS",
      "DeleteFile",
      "ListDirectory",
      "MoveFile",
      "READ_LIMITS",
      "ReadFile",
      "UpdateFile",
      "WriteFile",
    ]);
  });

  it("S0.PERM.1 tools that only read need ReadFiles and no approval", () => {
    for (const name of ["read_file", "list_directory"])
      expect(described.get(name)).toMatchObject({ permissions: ["ReadFiles"], approval: "auto" });
  });

  it("S0.PERM.3 create_file needs CreateFiles, delete_file DeleteFiles, and both approval", () => {
    expect(needs("create_file")).toEqual(["CreateFiles"]);
    expect(needs("delete_file")).toEqual(["DeleteFiles"]);
    for (const name of ["create_file", "delete_file"])
      expect(described.get(name)).toMatchObject({ approval: "confirm" });
  });

  it.each([
    ["write_file", ["CreateFiles", "WriteFiles"], "depends", "write"],
    ["update_file", ["ReadFiles", "WriteFiles"], "confirm", "write"],
    ["append_file", ["WriteFiles"], "confirm", "write"],
    ["move_file", ["WriteFiles", "CreateFiles"], "depends", "manage"],
  ])("%s matches the catalogue", (name, permissions, approval, category) => {
    expect(described.get(name)).toMatchObject({ approval, category });
    expect(needs(name)).toEqual(permissions);
  });

  it.each([...described.values()])(
    "S0.DOC.3 $name has examples, guidance and a word on when to stop",
    (tool) => {
      expect(tool.examples.length).toBeGreaterThan(0);
      expect(tool.guidance?.split("\n").length).toBeGreaterThan(1);
      expect(tool.termination).toMatch(/stop|go on/i);
      expect(tool.pack).toBe("@haft/tool-fs");
    },
  );

  it("in the claude dialect no text mentions a missing parameter", () => {
    for (const tool of createTestRuntime({ tools: ALL_TOOLS, dialect: "claude" }).tools()) {
      const words = `${tool.summary} ${tool.guidance} ${tool.termination} ${JSON.stringify(tool.examples)}`;
      const omitted = Object.keys(described.get(tool.canonicalName)?.input.properties ?? {})
        // A parameter name that is an ordinary word may be used as such.
        .filter((name) => name.includes("_"))
        .filter((name) => !(name in ((tool.input.properties ?? {}) as object)));
      for (const name of omitted) expect(words).not.toContain(name);
    }
  });

  it("as Read and Write they have the parameters of their seed", () => {
    const tools = createTestRuntime({ tools: ALL_TOOLS, dialect: "claude" }).tools();
    const parametersOf = (name: string) =>
      Object.keys(tools.find((tool) => tool.name === name)?.input.properties ?? {});
    expect(parametersOf("Read")).toEqual(["file_path", "offset", "limit", "pages"]);
    expect(parametersOf("Write")).toEqual(["file_path", "content"]);
    expect(tools.map(({ name }) => name).sort()).toEqual(["LS", "Read", "Write", "delete_file", "move_file"]);
  });

  it("every tool can be imported on its own", async () => {
    const subpaths: Record<string, () => Promise<Record<string, unknown>>> = {
      ReadFile: () => import("@haft/tool-fs/read-file"),
      ListDirectory: () => import("@haft/tool-fs/list-directory"),
      WriteFile: () => import("@haft/tool-fs/write-file"),
      CreateFile: () => import("@haft/tool-fs/create-file"),
      UpdateFile: () => import("@haft/tool-fs/update-file"),
      AppendFile: () => import("@haft/tool-fs/append-file"),
      DeleteFile: () => import("@haft/tool-fs/delete-file"),
      MoveFile: () => import("@haft/tool-fs/move-file"),
    };
    for (const [name, load] of Object.entries(subpaths))
      expect(definitionOf((await load())[name] as AnyToolClass).pack).toBe("@haft/tool-fs");
  });
});

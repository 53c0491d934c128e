import { existsSync } from "node:fs";
import { join } from "node:path";
import { defineTool, s } from "@haft/core";
import { expect, it } from "vitest";
import { runtimeFolder } from "../test-support/runtime-folder.js";
import { prepareNodeRuntime } from "./create-node-runtime.js";

const folder = runtimeFolder({}, {});

const Note = defineTool({
  name: "note",
  summary: "Write a note.",
  category: "write",
  permissions: ["CreateFiles"],
  input: s.object({}),
  run: async (_args, { workspace }) => workspace.createText("note.txt", "noted\n").then(() => ({})),
});

it("FP11 checks options without opening anything, then opens a runtime with the approver of a client", async () => {
  const stateDirectory = join(folder.base, "state");
  const prepared = await prepareNodeRuntime({ workspace: folder.root, stateDirectory, tools: [Note] });
  expect(existsSync(stateDirectory)).toBe(false);
  const asked: string[] = [];
  const approver = async ({ tool }: { tool: string }) => {
    asked.push(tool);
    return { approved: true };
  };
  await using runtime = await prepared.open({ approver });
  expect(await runtime.call("note", {})).toMatchObject({ ok: true });
  expect(asked).toEqual(["note"]);
});

it("FP11 reports a missing folder, an unknown role and wrong pack configuration before anything is opened", async () => {
  const given = { workspace: folder.root, tools: [Note] };
  await expect(prepareNodeRuntime({ ...given, workspace: join(folder.root, "no") })).rejects.toThrow();
  await expect(prepareNodeRuntime({ ...given, role: "nobody" })).rejects.toThrow(/nobody/);
  await expect(prepareNodeRuntime({ ...given, packConfig: { unknown: {} } })).rejects.toThrow(/unknown/);
});

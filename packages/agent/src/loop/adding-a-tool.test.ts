import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineTool, s } from "@haft/core";
import { createTestRuntime, scriptedApprover } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { startRun } from "../index.js";
import { openAiModel } from "../openai/index.js";
import { startScriptedModel } from "../scripted-model/node/index.js";

/** A tool that this repository does not know. */
const Stamp = defineTool({
  name: "stamp_document",
  summary: "Put a stamp on a document.",
  category: "x-office",
  permissions: ["ReadFiles", "WriteFiles"],
  approval: "confirm",
  termination: "Terminate when the last document is stamped.",
  input: s.object({ path: s.path("Document"), ink: s.string("Colour", { default: "blue" }) }),
  output: s.object({ path: s.string("Document") }),
  examples: [{ when: "a letter is done", args: { path: "letter.txt" } }],
  run: async ({ path, ink }, { workspace }) => {
    await workspace.writeText(path, `${await workspace.readText(path)}[${ink}]`);
    return { path };
  },
  render: ({ path }) => `stamped ${path}`,
});

async function stampOnce() {
  const runtime = createTestRuntime({
    tools: [],
    files: { "letter.txt": "Dear all " },
    approver: scriptedApprover(true),
  });
  runtime.registry.register(Stamp);
  await using server = await startScriptedModel([
    { calls: [{ name: "stamp_document", args: { path: "letter.txt", terminate: true } }] },
    { text: "Stamped." },
  ]);
  const model = openAiModel({ baseUrl: server.url, model: "scripted" });
  const run = startRun({ runtime, model, task: "Stamp it." });
  const outcome = await run.done;
  return { outcome, run, runtime, requests: server.requests };
}

describe("S1 adding a tool changes nothing in the loop", () => {
  it("S1.C1 no file of the loop names a tool or imports a pack", () => {
    const root = fileURLToPath(new URL("../", import.meta.url));
    const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
      (name) => name.endsWith(".ts") && !name.endsWith(".test.ts"),
    );
    expect(files.length).toBeGreaterThan(40);
    const named =
      /@haft\/(tool-|runtime-node|mcp|cli)|read_file|write_file|execute_command|\bgrep\b|\bglob\b/;
    for (const file of files) {
      const source = readFileSync(join(root, file), "utf8");
      // The run journal on disk shares its locks with the change journal.
      const judged = file.startsWith("node/") ? source.replaceAll("@haft/runtime-node/state", "") : source;
      expect(judged, file).not.toMatch(named);
    }
  });

  it("S1.C2 S1.C7 S1.A1 executes a tool that was registered a moment ago and returns its result", async () => {
    const { outcome, requests, runtime } = await stampOnce();
    expect(outcome).toMatchObject({ reason: "terminated", summary: "Stamped." });
    expect(await runtime.workspaceFiles()).toEqual({ "letter.txt": "Dear all [blue]" });
    expect(requests[1]?.messages.find(({ role }) => role === "tool")?.content).toBe("stamped letter.txt");
  });

  it("S1.A3 prompt, schema, permissions, approval, events, validation and termination come with it", async () => {
    const { requests, run } = await stampOnce();
    const system = String(requests[0]?.messages[0]?.content);
    expect(system).toContain("stamp_document");
    expect(system).toContain("Terminate when the last document is stamped.");
    expect(system).toContain("letter.txt");
    expect(requests[0]?.tools?.[0]?.function).toMatchObject({
      name: "stamp_document",
      parameters: { properties: { ink: { default: "blue" }, terminate: { type: "boolean" } } },
    });
    const types = run.log.map(({ type }) => type);
    expect(types).toEqual([
      "run.started",
      "message.user",
      "step.ended",
      "approval.requested",
      "approval.decided",
      "call.started",
      "call.settled",
      "step.ended",
      "run.ended",
    ]);
    expect(run.log[3]).toMatchObject({
      approval: { tool: "stamp_document", changes: [{ path: "letter.txt" }] },
    });
    expect(run.log[6]).toMatchObject({ effects: [{ kind: "modify", path: "letter.txt" }] });
  });

  it("S1.C3 a role without its permission neither lists nor runs it", async () => {
    const runtime = createTestRuntime({
      tools: [Stamp],
      files: { "letter.txt": "Dear all " },
      role: { name: "reader", permissions: ["ReadFiles"] },
    });
    await using server = await startScriptedModel([
      { calls: [{ name: "stamp_document", args: { path: "letter.txt" } }] },
      { text: "I may not." },
    ]);
    const model = openAiModel({ baseUrl: server.url, model: "scripted" });
    const run = startRun({ runtime, model, task: "Stamp it." });
    await run.done;
    expect(server.requests[0]).not.toHaveProperty("tools");
    expect(run.log.find((event) => event.type === "call.settled")).toMatchObject({
      outcome: "error",
      code: "PERMISSION_DENIED",
    });
  });
});

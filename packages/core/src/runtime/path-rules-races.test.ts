import { createTestRuntime } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { type ApprovalPolicy, defineTool, s } from "../index.js";
import { MemoryWorkspace } from "../memory/index.js";
import { namedPolicy, rulePolicy, strictest } from "../policy.js";
import type { ByteRange, StreamRange } from "../workspace/workspace.js";

/** Swaps a harmless file for a link to a secret between the check of a path and the read. */
class SwappingWorkspace extends MemoryWorkspace {
  override async readBytes(path: string, range?: ByteRange): Promise<Uint8Array> {
    return this.#swapped(() => super.readBytes(path, range));
  }

  override async *stream(path: string, range?: StreamRange): AsyncIterable<Uint8Array> {
    await this.#swapped(async () => {});
    yield* super.stream(path, range);
  }

  override async hashOf(path: string): Promise<string> {
    return this.#swapped(() => super.hashOf(path));
  }

  #swapped<T>(read: () => Promise<T>): Promise<T> {
    this.put("open.txt", { link: "secret/key.txt" });
    return read();
  }
}

const common = {
  summary: "Open a file.",
  category: "read",
  permissions: ["ReadFiles"],
  approval: "auto",
  input: s.object({ file: s.string("File") }),
  output: s.json("Anything"),
} as const;
const tools = [
  defineTool({
    ...common,
    name: "bytes",
    run: async ({ file }, { workspace }) => [...(await workspace.readBytes(file))],
  }),
  defineTool({
    ...common,
    name: "stream",
    run: async ({ file }, { workspace }) => {
      const chunks: number[] = [];
      for await (const chunk of workspace.stream(file)) chunks.push(...chunk);
      return chunks;
    },
  }),
  defineTool({ ...common, name: "hash", run: async ({ file }, { workspace }) => workspace.hashOf(file) }),
];
const files = { "secret/key.txt": "k", "open.txt": "o" };
const DENIED = { ok: false, error: { code: "POLICY_DENIED" } };
const rules = [{ effect: "deny", when: { path: "secret/**" } }] as const;

describe("FE13 a link swapped between the check and the read", () => {
  it.each(["bytes", "stream", "hash"])("reveals nothing to %s", async (tool) => {
    const runtime = createTestRuntime({ tools, rules, workspace: new SwappingWorkspace(files) });
    expect(await runtime.call(tool, { file: "open.txt" })).toMatchObject(DENIED);
    const still = createTestRuntime({ tools, rules, files });
    expect(await still.call(tool, { file: "open.txt" })).toMatchObject({ ok: true });
  });
});

describe("FE13 a rulePolicy among the added policies", () => {
  const policy = rulePolicy(rules, "corporate");
  it.each<[string, { policies?: readonly ApprovalPolicy[]; policy?: ApprovalPolicy }]>([
    ["as it is", { policies: [policy] }],
    ["as the one policy", { policy }],
    ["with a name", { policies: [namedPolicy("corporate", policy)] }],
    ["inside strictest", { policies: [strictest(() => undefined, policy)] }],
  ])("guards what is opened: %s", async (_how, parts) => {
    const runtime = createTestRuntime({ tools, files, ...parts });
    for (const tool of ["bytes", "stream", "hash"]) {
      expect(await runtime.call(tool, { file: "secret/key.txt" })).toMatchObject(DENIED);
      expect(await runtime.call(tool, { file: "open.txt" })).toMatchObject({ ok: true });
    }
  });
});

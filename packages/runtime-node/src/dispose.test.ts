import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineTool, s } from "@haft/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createNodeRuntime, type NodeRuntime } from "./create-node-runtime.js";

const FILE_COUNT = 300;

const createsMany = defineTool({
  name: "creates_many",
  summary: "Creates many files at once.",
  category: "write",
  permissions: ["ReadFiles", "CreateFiles"],
  input: s.object({}),
  output: s.object({}),
  approval: "auto",
  run: async (_args, { workspace }) => {
    for (let index = 0; index < FILE_COUNT; index += 1)
      await workspace.createText(`file-${index}.txt`, `${index}\n`);
    return {};
  },
});

let base: string;
let root: string;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "haft-dispose-")));
  root = join(base, "ws");
  mkdirSync(root);
});

afterEach(() => rmSync(base, { recursive: true, force: true }));

const open = (): Promise<NodeRuntime> =>
  createNodeRuntime({
    workspace: root,
    stateDirectory: join(base, "state"),
    role: "coder",
    tools: [createsMany],
    env: {},
  });

const names = (): string[] => readdirSync(root);
const wanted = (): string[] => names().filter((name) => /^file-\d+\.txt$/.test(name));

describe("a runtime disposed during a commit", () => {
  it.each([
    ["while content is written beside its place", () => names().length > 20 && wanted().length === 0],
    ["while files get their names", () => wanted().length > 20],
  ])(
    "%s lets the commit finish: all files or none, and nothing else",
    async (_when, isReached) => {
      const runtime = await open();
      const call = runtime.call("creates_many", {});
      await expect.poll(isReached, { interval: 1, timeout: 20_000 }).toBe(true);
      await runtime.dispose();
      const afterDispose = names();
      await call;
      expect([0, FILE_COUNT]).toContain(wanted().length);
      expect(afterDispose.length).toBe(wanted().length);
      await using again = await open();
      expect(names().length).toBe(wanted().length);
      const states = (await again.changes()).map(({ state }) => state);
      expect(states).toEqual([wanted().length === 0 ? "aborted" : "done"]);
    },
    60_000,
  );

  it("accepts no change afterwards, and does not claim that it was not made", async () => {
    const runtime = await open();
    await runtime.dispose();
    const bytes = new TextEncoder().encode("x");
    const after = { type: "file", bytes, hash: await runtime.workspace.hash(bytes) } as const;
    const change = { kind: "create", path: "x.txt", after } as const;
    await expect(
      runtime.workspace.commit([change], { callId: "late", tool: "creates_many" }),
    ).rejects.toMatchObject({ code: "CANCELLED" });
    await expect(runtime.workspace.snapshot("x.txt")).rejects.toThrow("closed");
    expect(names()).toEqual([]);
  });
});

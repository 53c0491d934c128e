import { createRuntime, type WorkspaceStore } from "@haft/core";
import { MemoryWorkspace } from "@haft/core/memory";
import { ReadFile } from "@haft/tool-fs";
import { describe, expect, it } from "vitest";
import { Edit } from "./index.js";

const PATH = "src/deep/a.ts";

/** Counts the requests to a remote store; what it knows locally costs none. */
function remoteStore(files: Record<string, string>) {
  const memory = new MemoryWorkspace(files);
  const requests: string[] = [];
  const readMany = async (paths: readonly string[]) =>
    Promise.all(
      paths.map(async (path) => {
        const entry = await memory.entry(path);
        return { path, entry, ...(entry?.type === "file" && { bytes: await memory.readBytes(path) }) };
      }),
    );
  const store = new Proxy(Object.assign(memory, { readMany }), {
    get(target, name) {
      const value = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      return (...args: unknown[]) => {
        if (!LOCAL.has(String(name))) requests.push(String(name));
        return value.apply(target, args);
      };
    },
  }) as WorkspaceStore;
  return { store, memory, requests };
}

const LOCAL = new Set(["vet", "hash", "hashParts", "digest", "absolute", "constructor"]);

describe("FP6 edit over a store with batched reads", () => {
  it.each([
    ["one replacement", { old_string: "const a = 1;", new_string: "const a = 2;" }],
    ["every occurrence", { old_string: "a", new_string: "b", replace_all: true }],
    ["text that is not there", { old_string: "missing", new_string: "b" }],
  ])("costs at most 3 round trips for %s, approval included", async (_what, change) => {
    const { store, memory, requests } = remoteStore({ [PATH]: "const a = 1;\nconst b = a;\n" });
    const runtime = await createRuntime({
      workspace: store,
      tools: [Edit, ReadFile],
      role: "editor",
      approver: async () => ({ approved: true }),
    });
    const before = await memory.readText(PATH);
    expect((await runtime.call(ReadFile, { path: PATH })).ok).toBe(true);
    requests.length = 0;
    const result = await runtime.call(Edit, { path: PATH, ...change });
    expect(requests.length, requests.join(", ")).toBeLessThanOrEqual(3);
    expect(result.ok).toBe((await memory.readText(PATH)) !== before);
  });
});

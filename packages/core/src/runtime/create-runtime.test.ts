import { beforeEach, describe, expect, it } from "vitest";
import { memoryApprovalStore } from "../memory/memory-approval-store.js";
import { memoryChangeJournalStore } from "../memory/memory-change-journal-store.js";
import { memoryGrantStore } from "../memory/memory-grant-store.js";
import { MemoryWorkspace } from "../memory/memory-workspace.js";
import { s } from "../schema/schema-builder.js";
import { defineTool } from "../tool/define-tool.js";
import type { WorkspaceStore } from "../workspace/workspace-store.js";
import { createRuntime } from "./create-runtime.js";
import type { RuntimeOptions } from "./runtime.js";

const permissions = ["ReadFiles", "WriteFiles", "CreateFiles", "DeleteFiles"] as const;
const Put = defineTool({
  name: "fp6_put",
  summary: "Writes a file.",
  permissions,
  input: s.object({ path: s.path("File"), text: s.string("Text") }),
  run: ({ path, text }, { workspace }) => workspace.writeText(path, text),
});
const Remove = defineTool({
  name: "fp6_remove",
  summary: "Deletes a file or folder.",
  permissions,
  input: s.object({ path: s.path("File") }),
  run: async ({ path }, { workspace }) => void (await workspace.remove(path, { recursive: true })),
});
const Move = defineTool({
  name: "fp6_move",
  summary: "Moves a file.",
  permissions,
  input: s.object({ from: s.path("From"), to: s.path("To") }),
  run: ({ from, to }, { workspace }) => workspace.move(from, to, { overwrite: true }),
});

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 5));
}

let workspace: MemoryWorkspace;
const stores = () => ({
  approvals: memoryApprovalStore(),
  grants: memoryGrantStore(),
  changes: memoryChangeJournalStore(),
});
const open = (options: Partial<RuntimeOptions> = {}) =>
  createRuntime({
    workspace,
    role: "editor",
    tools: [Put, Remove, Move],
    readBeforeWrite: "off",
    approver: async () => ({ approved: true }),
    ...options,
  });

beforeEach(() => {
  workspace = new MemoryWorkspace({
    "a.txt": "one\n",
    "dir/b.txt": "b\n",
    "dir/deep/c.txt": "c\n",
    l: { link: "a.txt" },
  });
});

describe("FP6 createRuntime over any workspace store", () => {
  it("undoes writes, deletions of folders and links, and moves that overwrite, byte for byte", async () => {
    const before = workspace.dump();
    const runtime = await open();
    expect((await runtime.call(Put, { path: "a.txt", text: "two\n" })).ok).toBe(true);
    expect((await runtime.call(Put, { path: "new/d.txt", text: "d\n" })).ok).toBe(true);
    expect((await runtime.call(Remove, { path: "l" })).ok).toBe(true);
    expect((await runtime.call(Remove, { path: "dir" })).ok).toBe(true);
    expect((await runtime.call(Move, { from: "new/d.txt", to: "a.txt" })).ok).toBe(true);
    expect((await runtime.changes()).map(({ tool, state }) => [tool, state])).toEqual([
      ["fp6_put", "done"],
      ["fp6_put", "done"],
      ["fp6_remove", "done"],
      ["fp6_remove", "done"],
      ["fp6_move", "done"],
    ]);
    for (let count = 0; count < 5; count += 1) await runtime.undo();
    expect(workspace.dump()).toEqual(before);
    await expect(runtime.undo()).rejects.toMatchObject({ code: "INVALID_ARGUMENTS" });
  });

  it("refuses to undo a change if the file has changed since, and names the file", async () => {
    const runtime = await open();
    await runtime.call(Put, { path: "a.txt", text: "two\n" });
    workspace.put("a.txt", "three\n");
    await expect(runtime.undo()).rejects.toMatchObject({ code: "STALE_FILE", message: /a\.txt/ });
    expect(await workspace.readText("a.txt")).toBe("three\n");
  });

  it("keeps a pending approval for the next runtime, which decides it and makes the call", async () => {
    const kept = stores();
    const first = await open({ approver: undefined as never, decidable: true, stores: kept });
    const waiting = first.call("fp6_put", { path: "a.txt", text: "two\n" }, { callId: "c1" });
    await until(async () => (await first.pending()).length > 0);
    await first.dispose();
    expect((await waiting).ok).toBe(false);

    const second = await open({ approver: undefined as never, decidable: true, stores: kept });
    const [request] = await second.pending();
    const { result } = await second.decide(request?.approvalId ?? "", { approved: true });
    expect(result?.ok).toBe(true);
    expect(await workspace.readText("a.txt")).toBe("two\n");
    await second.undo("c1");
    expect(await workspace.readText("a.txt")).toBe("one\n");
  });

  it("remembers an answer across runtimes and can revoke it", async () => {
    const kept = stores();
    let asked = 0;
    const approver: RuntimeOptions["approver"] = async ({ grants }) => {
      asked += 1;
      const grant = grants.at(-1);
      return grant === undefined
        ? { approved: true }
        : { approved: true, remember: { grant: grant.id, scope: "project" } };
    };
    const first = await open({ approver, stores: kept });
    await first.call(Put, { path: "a.txt", text: "two\n" });
    const second = await open({ approver, stores: kept });
    expect((await second.call(Put, { path: "a.txt", text: "three\n" })).ok).toBe(true);
    expect(asked).toBe(1);
    const [grant] = await second.grants.list();
    expect(await second.grants.revoke(grant?.id ?? "")).toBe(true);
    await second.call(Put, { path: "a.txt", text: "four\n" });
    expect(asked).toBe(2);
  });

  it("rejects an unknown role and names the known ones", async () => {
    await expect(open({ role: "writer" as never })).rejects.toMatchObject({ hint: /editor/ });
  });
});

/** A remote store that counts every request. Computations without its data are local. */
class RemoteStore extends MemoryWorkspace {
  requests: string[] = [];

  async readMany(paths: readonly string[]) {
    this.requests.push("readMany");
    return Promise.all(
      paths.map(async (path) => {
        const entry = await super.entry(path);
        return { path, entry, ...(entry?.type === "file" && { bytes: await super.readBytes(path) }) };
      }),
    );
  }
}

const LOCAL = new Set([
  "vet",
  "hash",
  "digest",
  "absolute",
  "constructor",
  "root",
  "requests",
  "readMany",
  "tree",
]);

function counting(store: RemoteStore): WorkspaceStore {
  return new Proxy(store, {
    get(target, name) {
      const value = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      return (...args: unknown[]) => {
        if (!LOCAL.has(String(name))) target.requests.push(String(name));
        return value.apply(target, args);
      };
    },
  });
}

/** Hashes as a browser does: with WebCrypto, whose digests are promises. */
function hashingLater(store: MemoryWorkspace, before: () => Promise<void> = async () => {}): WorkspaceStore {
  const later =
    (name: "hash" | "digest") =>
    async (bytes: Uint8Array): Promise<string> => {
      await before();
      await crypto.subtle.digest("SHA-256", Uint8Array.from(bytes));
      return store[name](bytes);
    };
  const hashing: Partial<WorkspaceStore> = { hash: later("hash"), digest: later("digest") };
  return new Proxy<WorkspaceStore>(store, {
    get(target, name) {
      const value = hashing[name as keyof WorkspaceStore] ?? Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

describe("FP6 a store that hashes asynchronously", () => {
  it.each([
    ["reads one by one", () => hashingLater(workspace)],
    ["reads in batches", () => hashingLater(new RemoteStore({ "a.txt": "one\n" }))],
  ])("%s: an edit is approved, applied once per call id, and undone", async (_reads, store) => {
    const asked: string[] = [];
    const remote = store();
    const runtime = await open({
      workspace: remote,
      approver: async ({ planDigest }) => {
        asked.push(planDigest);
        return { approved: true };
      },
    });
    const put = { path: "a.txt", text: "two\n" };
    const twice = [runtime.call(Put, put, { callId: "1" }), runtime.call(Put, put, { callId: "1" })];
    expect((await Promise.all(twice)).map(({ ok }) => ok)).toEqual([true, true]);
    expect(asked).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
    expect(await runtime.call(Remove, { path: "a.txt" }, { callId: "1" })).toMatchObject({
      error: { code: "CALL_ID_CONFLICT" },
    });
    await runtime.undo();
    expect(await remote.readText("a.txt")).toBe("one\n");
  });
});

describe("FP6 a store whose hashing fails once", () => {
  it("leaves the call id usable", async () => {
    const store = new MemoryWorkspace({ "a.txt": "one\n" });
    let failures = 1;
    const failing = hashingLater(store, async () => {
      if (failures-- > 0) throw new Error("no answer");
    });
    const runtime = await open({ workspace: failing, approver: async () => ({ approved: true }) });
    const put = { path: "a.txt", text: "two\n" };
    expect((await runtime.call(Put, put, { callId: "1" })).ok).toBe(false);
    expect((await runtime.call(Put, put, { callId: "1" })).ok).toBe(true);
  });
});

describe("FP6 a store with batched reads", () => {
  it("needs two round trips for an edit, approval included", async () => {
    const store = new RemoteStore({ "src/deep/a.txt": "one\n" });
    const runtime = await open({ workspace: counting(store) });
    const result = await runtime.call(Put, { path: "src/deep/a.txt", text: "two – zwei\n" });
    expect(result.ok).toBe(true);
    expect(await store.readText("src/deep/a.txt")).toBe("two – zwei\n");
    expect(store.requests).toEqual(["readMany", "commit"]);
  });

  it("starts over if a file changed after it was read, and resolves links by asking", async () => {
    const store = new RemoteStore({ "a.txt": "one\n", link: { link: "a.txt" } });
    const runtime = await open({ workspace: counting(store) });
    store.requests = [];
    expect((await runtime.call(Put, { path: "link", text: "two\n" })).ok).toBe(true);
    expect(await store.readText("a.txt")).toBe("two\n");
  });
});

import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRuntime, type RuntimeOptions } from "@haft/core";
import { MemoryWorkspace } from "@haft/core/memory";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { writePack } from "../../../test-support/write-pack.js";
import { createNodeRuntime } from "../../create-node-runtime.js";
import { loadPackFolder } from "../load-pack-folder.js";

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "haft-contained-")));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const FILES = { "a.txt": "one\n", "b/c.txt": "two\n" };

async function open(source: string, options: Partial<RuntimeOptions> = {}) {
  writePack(folder, source);
  const { tools } = await loadPackFolder(folder, { contain: { stopMs: 50 } });
  const workspace = new MemoryWorkspace(FILES);
  const runtime = await createRuntime({
    workspace,
    role: "editor",
    tools,
    readBeforeWrite: "off",
    ...options,
  });
  return { runtime, workspace };
}

describe("S1 a contained pack runs in its own process, through the same kernel", () => {
  it("reads, lists and walks what its permissions allow", async () => {
    const { runtime } = await open(`
      define({ name: "look", permissions: ["ReadFiles"] }, async (_args, { workspace }) => {
        const walked = [];
        for await (const { path } of workspace.walk("")) walked.push(path);
        return { text: await workspace.readText("a.txt"), walked: walked.sort(), can: typeof workspace.writeText };
      });`);
    expect(await runtime.call("look", {})).toMatchObject({
      ok: true,
      value: { text: "one\n", walked: ["a.txt", "b", "b/c.txt"], can: "undefined" },
    });
  });

  it("work left running by one call is not served by the next call of its process", async () => {
    const { runtime } = await open(`
      define({ name: "first", permissions: ["ReadFiles"] }, async (_args, context) => {
        globalThis.left = context;
        return {};
      });
      define({ name: "second", permissions: ["ReadFiles"] }, async (_args, { workspace }) => {
        globalThis.left.warn("stray");
        const late = globalThis.left.workspace.readText("a.txt").then(() => "served");
        return { late: await Promise.race([late, workspace.readText("a.txt").then(() => "not served")]) };
      });`);
    expect(await runtime.call("first", {})).toMatchObject({ ok: true });
    expect(await runtime.call("second", {})).toMatchObject({
      ok: true,
      value: { late: "not served" },
      warnings: [],
    });
  });

  it("is rehearsed, shown, approved and undone like any other tool", async () => {
    const diffs: (string | undefined)[] = [];
    const approver: RuntimeOptions["approver"] = async ({ changes }) => {
      diffs.push(changes[0]?.diff);
      return { approved: diffs.length > 1 };
    };
    const source = `define({ name: "shout", permissions: ["ReadFiles", "WriteFiles"] }, async (_args, { workspace, report, warn }) => {
      report({ message: "working" });
      warn("loud");
      await workspace.writeText("a.txt", (await workspace.readText("a.txt")).toUpperCase());
    });`;
    const { runtime, workspace } = await open(source, { approver });
    const heard: string[] = [];
    runtime.watch((event) => event.type === "progress" && heard.push(event.progress.message));
    expect(await runtime.call("shout", {})).toMatchObject({ ok: false, error: { code: "APPROVAL_DENIED" } });
    expect(await workspace.readText("a.txt")).toBe("one\n");
    expect(await runtime.call("shout", {})).toMatchObject({
      ok: true,
      text: expect.stringContaining("loud"),
    });
    expect(diffs).toEqual([expect.stringContaining("+ONE"), expect.stringContaining("+ONE")]);
    expect(await workspace.readText("a.txt")).toBe("ONE\n");
    expect(heard).toContain("working");
    await runtime.undo();
    expect(await workspace.readText("a.txt")).toBe("one\n");
  });

  it("a path outside the workspace is refused, and the tool's own error keeps its code and hint", async () => {
    const { runtime } = await open(`
      define({ name: "peek", permissions: ["ReadFiles"] }, (_args, { workspace }) => workspace.readText("../x"));
      define({ name: "fails", errors: ["NO_LUCK"] }, async () => {
        const isToolError = { [Symbol.for("haft.tool-error.v1")]: true };
        throw Object.assign(new Error("not today"), isToolError, { code: "NO_LUCK", hint: "Try tomorrow." });
      });
      define({ name: "reads" }, async () => {
        throw Object.assign(new Error("no such file"), { code: "ENOENT", hint: "Look elsewhere." });
      });`);
    expect(await runtime.call("peek", {})).toMatchObject({ ok: false, error: { code: "INVALID_PATH" } });
    // As outside of a process: the code of an error that is not a ToolError is not the tool's.
    const reads = await runtime.call("reads", {});
    expect(reads).toMatchObject({ ok: false });
    expect("error" in reads && reads.error).toEqual({ code: "EXECUTION_ERROR", message: "no such file" });
    expect(await runtime.call("fails", {})).toMatchObject({
      ok: false,
      error: { code: "NO_LUCK", message: "not today", hint: "Try tomorrow." },
    });
  });

  it("reaches the network only through the host's client", async () => {
    const server = createServer((_request, response) => response.end("hello"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    writePack(
      folder,
      `define({ name: "get", permissions: ["NetworkAccess"], approval: "auto" }, async (_args, { network }) =>
        new TextDecoder().decode((await network.fetch({ url: ${JSON.stringify(url)} })).body));`,
    );
    const { tools } = await loadPackFolder(folder, { contain: true });
    await using runtime = await createNodeRuntime({
      workspace: folder,
      stateDirectory: `${folder}-state`,
      role: "researcher",
      tools,
      approver: async () => ({ approved: true }),
    });
    // The host rejects a private address, even if tool and approver allow it.
    expect(await runtime.call("get", {})).toMatchObject({
      ok: false,
      text: expect.stringMatching(/private|127\.0\.0\.1/),
    });
    server.close();
    rmSync(`${folder}-state`, { recursive: true, force: true });
  });
});

describe("S1 a misbehaving contained pack is stopped, and others continue", () => {
  const GOOD = `define({ name: "good" }, async () => "fine");`;

  it("loops forever: the call ends with TIMEOUT, its process is killed, and the next call works", async () => {
    const { runtime } = await open(
      `${GOOD} define({ name: "loops", timeoutMs: 200 }, async () => { for (;;) {} });`,
    );
    const looping = runtime.call("loops", {});
    expect(await runtime.call("good", {})).toMatchObject({ ok: true, value: "fine" });
    expect(await looping).toMatchObject({
      ok: false,
      error: { code: "TIMEOUT", message: expect.stringContaining("longer than 0.2 s") },
    });
    expect(await runtime.call("good", {})).toMatchObject({ ok: true, value: "fine" });
  });

  it("throws after its call has ended: only the process ends, and the next call gets a new one", async () => {
    const { runtime } = await open(`
      let calls = 0;
      define({ name: "count" }, async () => ++calls);
      define({ name: "plants" }, async () => { calls++; setTimeout(() => { throw new Error("late"); }, 20); });`);
    expect(await runtime.call("plants", {})).toMatchObject({ ok: true });
    const isNew = async () => expect(await runtime.call("count", {})).toMatchObject({ ok: true, value: 1 });
    await vi.waitFor(isNew, { timeout: 20_000, interval: 100 });
  });

  it("keeps its process for the next call, and ends it if none comes", async () => {
    writePack(folder, `define({ name: "where" }, async () => process.pid);`);
    const { tools } = await loadPackFolder(folder, { contain: { idleMs: 500 } });
    const runtime = await createRuntime({ workspace: new MemoryWorkspace(FILES), role: "editor", tools });
    const where = async () => ((await runtime.call("where", {})) as { value?: unknown }).value as number;
    const first = await where();
    const isGone = () => expect(() => process.kill(first, 0)).toThrow("ESRCH");
    await vi.waitFor(isGone, { timeout: 20_000, interval: 50 });
    expect(await where()).not.toBe(first);
  });

  it("is cancelled: a tool that listens ends by itself", async () => {
    const { runtime } = await open(
      `define({ name: "waits" }, (_args, { signal, report }) => new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
        report({ message: "waiting" });
      }));`,
    );
    const caller = new AbortController();
    runtime.watch((event) => event.type === "progress" && caller.abort());
    expect(await runtime.call("waits", {}, { signal: caller.signal })).toMatchObject({
      ok: false,
      error: { code: "CANCELLED" },
    });
  });

  it("ends its process, throws asynchronously, or exhausts its memory: only its call fails", async () => {
    const { runtime } = await open(`${GOOD}
      define({ name: "exits" }, async () => process.exit(3));
      define({ name: "throws" }, () => new Promise(() => { setTimeout(() => { throw new Error("late"); }); }));
      define({ name: "hoards" }, async () => { const all = []; for (;;) all.push(new Array(1e6).fill(1)); });`);
    for (const [name, message] of [
      ["exits", /process of exits ended/],
      ["throws", /late/],
      ["hoards", /memory/],
    ] as const) {
      const result = await runtime.call(name, {});
      expect(result).toMatchObject({ ok: false, error: { code: "EXECUTION_ERROR" } });
      expect(result.text).toMatch(message);
      expect(await runtime.call("good", {})).toMatchObject({ ok: true });
    }
  });

  it("changes its arguments or a built-in prototype: this process is not affected", async () => {
    const { runtime } = await open(
      `define({ name: "greedy", input: { type: "object", properties: { list: { type: "array", items: { type: "string" } } } } },
        async ({ list }) => { Array.prototype.includes = () => true; return list.push("more"); });`,
    );
    const args = { list: ["a"] };
    expect(await runtime.call("greedy", args)).toMatchObject({
      ok: false,
      error: { code: "EXECUTION_ERROR" },
    });
    expect(args).toEqual({ list: ["a"] });
    expect(["a"].includes("b")).toBe(false);
  });

  it("returns a value that cannot be sent: the error names it", async () => {
    const { runtime } = await open(`define({ name: "odd" }, async () => () => 1);`);
    expect(await runtime.call("odd", {})).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining("could not be cloned") },
    });
  });
});

describe("S1 the error when a contained pack cannot be loaded", () => {
  it.each([
    [
      "throws on import",
      'throw new Error("no licence key");',
      /^acme-pack could not be imported: no licence key$/,
    ],
    [
      "registers nothing",
      "export const x = 1;",
      /^acme-pack is not a pack: importing it registered no tools$/,
    ],
    ["has an invalid name", 'define({ name: "No Good" }, async () => 1);', /No Good/],
    ["has an invalid schema", 'define({ name: "bad", input: 7 }, async () => 1);', /input of bad/],
    [
      "runs commands",
      'define({ name: "sh", permissions: ["ExecuteCommands"] }, async () => 1);',
      /^The tool sh cannot be contained: it needs ExecuteCommands$/,
    ],
    [
      "uses services",
      'define({ name: "svc", inject: [{}] }, async () => 1);',
      /^The tool svc cannot be contained: it uses services$/,
    ],
  ])("%s", async (_case, source, message) => {
    writePack(folder, source);
    await expect(loadPackFolder(folder, { contain: {} })).rejects.toMatchObject({
      code: "PACK_FAILED",
      message: expect.stringMatching(message),
    });
  });

  it("loops on import", async () => {
    writePack(folder, "for (;;) {}");
    await expect(loadPackFolder(folder, { contain: { startMs: 300 } })).rejects.toMatchObject({
      code: "PACK_FAILED",
      message: expect.stringMatching(/importing it took longer than 300 ms/),
    });
  });

  it("runs on Deno, whose processes have no such channel", async () => {
    writePack(folder, 'define({ name: "good" }, async () => 1);');
    vi.stubGlobal("Deno", {});
    try {
      await expect(loadPackFolder(folder, { contain: true })).rejects.toMatchObject({
        code: "PACK_FAILED",
        message: "A pack can be contained on Node only",
      });
    } finally {
      vi.unstubAllGlobals();
    }
  });

  it("by an option of the runtime, for packs that are not Haft's own", async () => {
    writePack(join(folder, "node_modules/acme-pack"), `define({ name: "where" }, async () => process.pid);`);
    writeFileSync(join(folder, "package.json"), "{}");
    const options = {
      workspace: folder,
      stateDirectory: `${folder}-state`,
      packs: ["acme-pack"],
      packsFrom: folder,
    };
    await using contained = await createNodeRuntime({ ...options, containPacks: true });
    const { value } = (await contained.call("where", {})) as { value?: unknown };
    expect(value).toBeTypeOf("number");
    expect(value).not.toBe(process.pid);
    rmSync(`${folder}-state`, { recursive: true, force: true });
  });
});

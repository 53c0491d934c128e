import { spawn } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineTool, s } from "@haft/core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { bundleProcess } from "../../../../tooling/testing/bundle-process.js";
import { type AdapterWorkspace, adapterWorkspace, OVERWRITE } from "../fixtures/adapter-workspace.js";
import { interruptedAgent, loadThread } from "../fixtures/langchain-agent.js";
import type { CallProgress } from "./adapter-options.js";
import { toLangChainAgent } from "./langchain-agent.js";

let folder: AdapterWorkspace;
beforeEach(() => {
  folder = adapterWorkspace();
});
afterEach(() => folder.dispose());

const overwrite = { tool: "write_file", args: OVERWRITE, id: "call-1" };
const remove = { tool: "delete_file", args: { path: "f.txt" }, id: "call-2" };

describe("FP8 LangChain's human-in-the-loop middleware", () => {
  it("interrupts with the diff; once approved, writes exactly that", async () => {
    const runtime = await folder.open();
    const agent = interruptedAgent(runtime, [[overwrite], "done"]);
    expect(await agent.start()).toEqual([expect.stringContaining("+new")]);
    expect(folder.read("f.txt")).toBe("old\n");
    expect((await agent.resume({ type: "approve" })).at(-1)).toBe('"done"');
    expect(folder.read("f.txt")).toBe("new\n");
    expect(await runtime.pending()).toEqual([]);
  });

  it("does not interrupt for a call that needs no approval", async () => {
    const read = { tool: "read_file", args: { path: "f.txt" }, id: "call-1" };
    expect(await interruptedAgent(await folder.open(), [[read], "done"]).start()).toEqual([]);
  });

  it("FE16 a rejection is final: the request is removed, and the model receives the reason", async () => {
    const runtime = await folder.open();
    const agent = interruptedAgent(runtime, [[overwrite], "done"]);
    await agent.start();
    const [pending] = await runtime.pending();
    expect((await agent.resume({ type: "reject", message: "not now" })).join()).toContain("not now");
    expect(await runtime.pending()).toEqual([]);
    await expect(runtime.decide(pending?.approvalId as string, { approved: true })).rejects.toThrow();
    expect(folder.read("f.txt")).toBe("old\n");
  });

  it("FE16 settles the call that LangChain drops because another one was rejected", async () => {
    const runtime = await folder.open();
    folder.write("g.txt", "old\n");
    const other = { ...remove, args: { path: "g.txt" } };
    const agent = interruptedAgent(runtime, [[overwrite, other], "done"]);
    const shown = await agent.start();
    expect(shown.map((text) => /\d of \d/.exec(text)?.[0])).toEqual(["1 of 2", "2 of 2"]);
    await agent.resume({ type: "approve" }, { type: "reject", message: "keep it" });
    expect(await runtime.pending()).toEqual([]);
    expect([folder.read("f.txt"), folder.read("g.txt")]).toEqual(["old\n", "old\n"]);
  });

  it("FE16 does not deadlock if one turn has two calls on one file: the second must be repeated", async () => {
    const again = { ...remove, id: "call-3" };
    const agent = interruptedAgent(await folder.open(), [[overwrite, remove], [again], "done"]);
    expect(await agent.start()).toEqual([expect.stringContaining("+new")]);
    expect((await agent.resume({ type: "approve" })).join()).toContain("make the call again");
    expect(folder.read("f.txt")).toBe("new\n");
    expect((await agent.resume({ type: "approve" })).at(-1)).toBe('"done"');
    expect(folder.read("f.txt")).toBeUndefined();
  });

  it("does not overwrite a file that changed after it was shown", async () => {
    const agent = interruptedAgent(await folder.open(), [[overwrite], "done"]);
    await agent.start();
    folder.write("f.txt", "somebody else's\n");
    expect((await agent.resume({ type: "approve" })).join()).toContain("STALE_FILE");
    expect(folder.read("f.txt")).toBe("somebody else's\n");
  });

  it("forwards progress under LangChain's call id", async () => {
    const Slow = defineTool({
      name: "slow",
      summary: "Report progress.",
      input: s.object({}),
      run: async (_args, { report }) => report({ message: "half" }),
    });
    const heard: CallProgress[] = [];
    const runtime = await folder.open({ tools: [Slow] });
    const agent = interruptedAgent(runtime, [[{ tool: "slow", args: {}, id: "call-9" }], "done"], {
      onProgress: (progress) => heard.push(progress),
    });
    await agent.start();
    expect(heard).toMatchObject([{ callId: "call-9", tool: "slow", progress: { message: "half" } }]);
  });

  it("names the missing option if the runtime cannot be decided from outside", async () => {
    const runtime = await folder.open();
    const { pending: _pending, ...without } = runtime;
    expect(() => toLangChainAgent(without as never)).toThrow(/pending\(\)/);
  });
});

describe("FP8 a LangChain thread that resumes in another process", () => {
  let bundles: string;
  let bundle: string;
  beforeAll(async () => {
    bundles = realpathSync(mkdtempSync(join(tmpdir(), "haft-langchain-")));
    bundle = await bundleProcess(
      new URL("../../test-support/langchain-process.ts", import.meta.url),
      bundles,
    );
  }, 60_000);
  afterAll(() => rmSync(bundles, { recursive: true, force: true }));

  it("an approved call runs as shown", async () => {
    const agent = await resumedAgent();
    expect((await agent.resume({ type: "approve" })).at(-1)).toBe('"done"');
    expect(folder.read("f.txt")).toBe("new\n");
  });

  it("nothing runs if the effect no longer matches what was shown", async () => {
    const agent = await resumedAgent();
    folder.write("f.txt", "somebody else's\n");
    expect((await agent.resume({ type: "approve" })).join()).toContain("make the call again");
    expect(folder.read("f.txt")).toBe("somebody else's\n");
  });

  it("FE16 a rejection is final there too", async () => {
    const runtime = await folder.open();
    const agent = await resumedAgent(runtime);
    expect(await runtime.pending()).toHaveLength(1);
    await agent.resume({ type: "reject" });
    expect(await runtime.pending()).toEqual([]);
    expect(folder.read("f.txt")).toBe("old\n");
  });

  /** Runs the first half in a separate process, which is killed once its thread is stored. */
  async function resumedAgent(runtime?: Awaited<ReturnType<AdapterWorkspace["open"]>>) {
    const { root: workspace, stateDirectory } = folder;
    const thread = join(bundles, `thread-${Math.random()}`);
    const options = JSON.stringify({ workspace, stateDirectory, thread, turn: overwrite });
    const child = spawn(process.execPath, [bundle, options], { stdio: ["ignore", "pipe", "inherit"] });
    const gone = new Promise((resolve) => child.once("exit", resolve));
    await new Promise<void>((resolve, reject) => {
      child.stdout.once("data", () => resolve());
      child.once("exit", () => reject(new Error("it ended without asking")));
    });
    child.kill("SIGKILL");
    await gone;
    return interruptedAgent(runtime ?? (await folder.open()), ["done"], { checkpointer: loadThread(thread) });
  }
});

import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleProcess } from "../../../../tooling/testing/bundle-process.js";
import {
  createsFile,
  readsFile,
  runsCommand,
  updatesFile,
  writesFile,
} from "../../test-support/file-tools.js";
import { runtimeFolder } from "../../test-support/runtime-folder.js";

let bundles: string;
let bundle: string;

beforeAll(async () => {
  bundles = realpathSync(mkdtempSync(join(tmpdir(), "haft-restart-bundle-")));
  bundle = await bundleProcess(new URL("../../test-support/waiting-process.ts", import.meta.url), bundles);
}, 60_000);

afterAll(() => rmSync(bundles, { recursive: true, force: true }));

const folder = runtimeFolder(
  { "f.txt": "old\n" },
  {
    tools: [readsFile, writesFile, updatesFile, createsFile, runsCommand],
    decidable: true,
  },
);
const { open } = folder;

interface Call {
  readonly tool: string;
  readonly args: unknown;
  readonly callId?: string;
  readonly readFirst?: string;
}

/** Runs the call in another process, waits for its approval request, and kills it. */
async function askAndDie(call: Call): Promise<void> {
  const setting = JSON.stringify({
    workspace: folder.root,
    stateDirectory: join(folder.base, "state"),
    ...call,
  });
  const child = spawn(process.execPath, [bundle, setting], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  let failed = "";
  child.stderr.on("data", (chunk) => {
    failed += chunk;
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout.on("data", (chunk) => {
      said += chunk;
      if (said.includes("asked")) resolve();
      else reject(new Error(`it did not ask: ${said}`));
    });
    child.once("exit", () => reject(new Error(`it ended: ${said}${failed}`)));
  });
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await gone;
}

const content = (name = "f.txt") => folder.content(name);
const write = { tool: "writes_file", args: { path: "f.txt", text: "new\n" }, callId: "call-7" };
const update = {
  tool: "updates_file",
  args: { path: "f.txt", text: "new\n" },
  callId: "u",
  readFirst: "f.txt",
};

describe("S6 a pending approval survives the death of its process", () => {
  it("is listed after kill -9; once another process decides it, it is applied exactly once", async () => {
    await askAndDie(write);
    expect(content()).toBe("old\n");
    await using runtime = await open();
    const pending = await runtime.pending();
    expect(pending).toMatchObject([
      { tool: "writes_file", args: write.args, callId: "call-7", waiter: "gone" },
    ]);
    const id = pending[0]?.approvalId as string;
    const tries = await Promise.allSettled([1, 2, 3, 4].map(() => runtime.decide(id, { approved: true })));
    const applied = tries.filter((one) => one.status === "fulfilled");
    expect(applied).toMatchObject([{ value: { result: { ok: true, callId: "call-7" } } }]);
    expect(tries.filter((one) => one.status === "rejected")).toHaveLength(3);
    expect(content()).toBe("new\n");
    expect(await runtime.pending()).toEqual([]);
    // The loop that made the call asks for its result: it gets the same one, and nothing runs again.
    writeFileSync(join(folder.root, "f.txt"), "later\n");
    expect(await runtime.call(write.tool, write.args, { callId: "call-7" })).toMatchObject({ ok: true });
    expect(content()).toBe("later\n");
  });

  it("S7 a file that has changed since makes it stale: PLAN_STALE, nothing is applied", async () => {
    await askAndDie(write);
    writeFileSync(join(folder.root, "f.txt"), "somebody else\n");
    await using runtime = await open();
    const [pending] = await runtime.pending();
    expect(await runtime.decide(pending?.approvalId as string, { approved: true })).toMatchObject({
      result: { ok: false, error: { code: "PLAN_STALE" } },
    });
    expect(content()).toBe("somebody else\n");
    expect(await runtime.pending()).toEqual([]);
  });

  it("S7 a file that was created meanwhile makes a pending creation stale", async () => {
    await askAndDie({ tool: "writes_file", args: { path: "new.txt", text: "mine" }, callId: "c" });
    writeFileSync(join(folder.root, "new.txt"), "theirs");
    await using runtime = await open();
    const [pending] = await runtime.pending();
    expect(await runtime.decide(pending?.approvalId as string, { approved: true })).toMatchObject({
      result: { ok: false, error: { code: "PLAN_STALE" } },
    });
    expect(content("new.txt")).toBe("theirs");
  });

  it("a denial settles the call with the feedback", async () => {
    await askAndDie(write);
    await using runtime = await open();
    const [pending] = await runtime.pending();
    expect(
      await runtime.decide(pending?.approvalId as string, { approved: false, feedback: "rather not" }),
    ).toMatchObject({
      result: {
        ok: false,
        error: { code: "APPROVAL_DENIED", message: expect.stringContaining("rather not") },
      },
    });
    expect(content()).toBe("old\n");
  });

  it("files read by the dead process count for its call, with exactly those bytes", async () => {
    await askAndDie(update);
    await using runtime = await open();
    const [pending] = await runtime.pending();
    expect(await runtime.decide(pending?.approvalId as string, { approved: true })).toMatchObject({
      result: { ok: true },
    });
    expect(content()).toBe("new\n");
  });

  it("the same call, made again, attaches to it: one approval, the same id, no second prompt", async () => {
    await askAndDie(update);
    await using runtime = await open();
    const [before] = await runtime.pending();
    const running = runtime.call(update.tool, update.args, { callId: "u" });
    let waiting = await runtime.pending();
    for (let round = 0; round < 200 && waiting[0]?.waiter !== "here"; round += 1)
      waiting = await runtime.pending();
    expect(waiting).toMatchObject([
      { approvalId: before?.approvalId, requestedAt: before?.requestedAt, waiter: "here" },
    ]);
    await runtime.decide(before?.approvalId as string, { approved: true });
    expect(await running).toMatchObject({ ok: true });
    expect(content()).toBe("new\n");
  });

  it("made again after the files changed, it is a new request about the current content", async () => {
    await askAndDie(write);
    writeFileSync(join(folder.root, "f.txt"), "somebody else\n");
    const asked: string[] = [];
    await using runtime = await open({
      approver: async ({ changes }) => {
        asked.push(changes[0]?.diff ?? "");
        return { approved: true };
      },
    });
    expect(await runtime.call(write.tool, write.args, { callId: "call-7" })).toMatchObject({ ok: true });
    expect(asked).toEqual([expect.stringContaining("-somebody else")]);
    expect(await runtime.pending()).toEqual([]);
  });

  it("another call under the same id is independent of it", async () => {
    await askAndDie(write);
    await using runtime = await open({ approver: async () => ({ approved: false }) });
    expect(
      await runtime.call("writes_file", { path: "g.txt", text: "x" }, { callId: "call-7" }),
    ).toMatchObject({
      error: { code: "APPROVAL_DENIED" },
    });
    expect(await runtime.pending()).toMatchObject([{ callId: "call-7", args: write.args }]);
  });

  it("a command whose approval outlived its process runs once", async () => {
    const args = { command: ["sh", "-c", "echo ran >> log.txt; cat log.txt"] };
    await askAndDie({ tool: "runs_command", args, callId: "x" });
    await using runtime = await open();
    await using second = await open();
    const id = (await runtime.pending())[0]?.approvalId as string;
    const tries = await Promise.allSettled([
      runtime.decide(id, { approved: true }),
      second.decide(id, { approved: true }),
    ]);
    expect(tries.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(content("log.txt")).toBe("ran\n");
  });

  it("belongs to the role that asked, and to its own folder", async () => {
    await askAndDie(write);
    await using reader = await open({ role: "editor" });
    const [pending] = await reader.pending();
    await expect(reader.decide(pending?.approvalId as string, { approved: true })).rejects.toMatchObject({
      code: "PERMISSION_DENIED",
    });
    mkdirSync(join(folder.base, "other"));
    await using elsewhere = await open({ workspace: join(folder.base, "other") });
    expect(await elsewhere.pending()).toEqual([]);
    await expect(elsewhere.decide(pending?.approvalId as string, { approved: true })).rejects.toMatchObject({
      code: "APPROVAL_NOT_FOUND",
    });
    expect(content()).toBe("old\n");
  });

  it("if its effect is allowed by now, the call runs, and no request stays pending", async () => {
    await askAndDie(write);
    await using runtime = await open({ rules: [{ effect: "allow", tool: "writes_file" }] });
    const [pending] = await runtime.pending();
    expect(await runtime.decide(pending?.approvalId as string, { approved: true })).toMatchObject({
      result: { ok: true },
    });
    expect(await runtime.pending()).toEqual([]);
  });
});

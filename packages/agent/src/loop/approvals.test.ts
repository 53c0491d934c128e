import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createNodeRuntime, type NodeRuntimeOptions } from "@haft/runtime-node";
import { AppendFile, ReadFile, WriteFile } from "@haft/tool-fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { memoryJournal, type RunEvent, type RunHandle, type RunOptions, startRun } from "../index.js";
import { openAiModel } from "../openai/index.js";
import { type Script, type ScriptedModel, startScriptedModel } from "../scripted-model/node/index.js";

let base: string;
let server: ScriptedModel | undefined;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "haft-run-approvals-")));
  mkdirSync(join(base, "ws"));
  writeFileSync(join(base, "ws", "a.txt"), "old\n");
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  rmSync(base, { recursive: true, force: true });
});

const content = (name = "a.txt") => readFileSync(join(base, "ws", name), "utf8");
const openRuntime = (options: Partial<NodeRuntimeOptions> = {}) =>
  createNodeRuntime({
    workspace: join(base, "ws"),
    stateDirectory: join(base, "state"),
    tools: [ReadFile, WriteFile, AppendFile],
    decidable: true,
    env: {},
    ...options,
  });

async function start(runtime: RunOptions["runtime"], script: Script, options: Partial<RunOptions> = {}) {
  server ??= await startScriptedModel(script);
  const model = openAiModel({ baseUrl: server.url, model: "scripted" });
  return startRun({ runtime, model, task: "Write it.", system: "S", ...options });
}

async function asked(run: RunHandle, count = 1): Promise<readonly RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of run.events()) {
    if (event.type === "approval.requested") events.push(event);
    if (events.length === count) break;
  }
  return events;
}

const read = { name: "read_file", args: { path: "a.txt" } };
const write = (path: string, text: string) => ({ name: "write_file", args: { path, content: text } });
const script: Script = [{ calls: [read] }, { calls: [write("a.txt", "new\n")] }, { text: "Written." }];

describe("S3.APPR approvals go through the runtime", () => {
  it("pause, decide, resume: records who decided, and the effects", async () => {
    await using runtime = await openRuntime();
    const run = await start(runtime, script);
    await asked(run);
    expect(run.state.status).toBe("waiting");
    const [request] = run.pending();
    expect(request).toMatchObject({ tool: "write_file", risk: "medium", changes: [{ path: "a.txt" }] });
    await run.decide(request?.stepId ?? "", { approved: true }, "ada");
    expect(await run.done).toMatchObject({ reason: "end_turn" });
    expect(content()).toBe("new\n");
    const decided = run.log.find((event) => event.type === "approval.decided");
    expect(decided).toMatchObject({ by: "ada", answer: { approved: true } });
    const settled = run.log.filter((event) => event.type === "call.settled").at(-1);
    expect(settled).toMatchObject({ outcome: "ok", effects: [{ kind: "modify", path: "a.txt" }] });
    await expect(run.decide(request?.stepId ?? "", { approved: true })).rejects.toMatchObject({
      code: "ALREADY_DECIDED",
    });
  });

  it("modifiedArgs: runs the person's arguments and tells the model", async () => {
    await using runtime = await openRuntime();
    const run = await start(runtime, script);
    await asked(run);
    const modifiedArgs = { path: "a.txt", content: "mine\n" };
    await run.decide(run.pending()[0]?.stepId ?? "", { approved: true, modifiedArgs });
    await run.done;
    expect(content()).toBe("mine\n");
    expect(JSON.stringify(server?.requests.at(-1)?.messages)).toContain("changed by the user");
  });

  it("deny affects one call, with feedback; its sibling continues", async () => {
    await using runtime = await openRuntime();
    const run = await start(runtime, [
      { calls: [read] },
      { calls: [write("a.txt", "x"), { name: "read_file", args: { path: "a.txt" } }] },
      { text: "I see." },
    ]);
    await asked(run);
    while (run.state.status !== "waiting") await new Promise((resolve) => setTimeout(resolve, 5));
    // The read ran at once, without waiting for the person.
    expect(run.state.calls.map(({ status }) => status)).toEqual(["awaiting", "settled"]);
    await run.decide(run.pending()[0]?.stepId ?? "", { approved: false, feedback: "not that file" });
    expect(await run.done).toMatchObject({ reason: "end_turn" });
    expect(content()).toBe("old\n");
    const settled = run.log.flatMap((event) => (event.type === "call.settled" ? [event.outcome] : []));
    expect(settled.sort()).toEqual(["denied", "ok", "ok"]);
    expect(JSON.stringify(server?.requests.at(-1)?.messages)).toContain("not that file");
  });

  it("abort denies and stops the run", async () => {
    await using runtime = await openRuntime();
    const run = await start(runtime, script);
    await asked(run);
    await run.decide(run.pending()[0]?.stepId ?? "", { approved: true, abort: true, feedback: "stop it" });
    expect(await run.done).toMatchObject({ reason: "aborted" });
    expect(content()).toBe("old\n");
    expect(server?.requests).toHaveLength(2);
  });

  it("answers two pending requests separately, in any order", async () => {
    await using runtime = await openRuntime({ rules: [{ effect: "ask", tool: "write_file" }] });
    const run = await start(runtime, [
      { calls: [write("b.txt", "b"), write("c.txt", "c")] },
      { text: "Both." },
    ]);
    await asked(run, 2);
    const [first, second] = run.pending();
    await run.decide(second?.stepId ?? "", { approved: true });
    await run.decide(first?.stepId ?? "", { approved: false });
    await run.done;
    expect(content("c.txt")).toBe("c");
    expect(() => content("b.txt")).toThrow();
  });

  it("cancelling during a prompt withdraws the request and ends the run", async () => {
    await using runtime = await openRuntime();
    const run = await start(runtime, script);
    await asked(run);
    run.cancel();
    expect(await run.done).toMatchObject({ reason: "cancelled" });
    expect(await runtime.pending()).toEqual([]);
    expect(content()).toBe("old\n");
  });

  it("without an approver the model is told, and the run continues", async () => {
    await using runtime = await openRuntime({ decidable: false });
    const run = await start(runtime, script);
    expect(await run.done).toMatchObject({ reason: "end_turn" });
    expect(JSON.stringify(server?.requests.at(-1)?.messages)).toContain("APPROVAL_REQUIRED");
    await expect(run.decide("x", { approved: true })).rejects.toMatchObject({ code: "APPROVAL_NOT_FOUND" });
  });
});

describe("resuming a run", () => {
  it("S6 shows a pending request again with the same plan, but not a decided one", async () => {
    const first = await openRuntime();
    const run = await start(first, script);
    await asked(run);
    run.detach();
    expect(await run.done).toMatchObject({ reason: "detached" });
    await first.dispose();
    const waited = run.log;

    await using second = await openRuntime();
    const again = await start(second, script, {
      journal: memoryJournal({ events: waited }),
      task: undefined as never,
    });
    await asked(again, 2);
    await again.decide(again.pending()[0]?.stepId ?? "", { approved: true }, "ada");
    expect(await again.done).toMatchObject({ reason: "end_turn", summary: "Written." });
    expect(content()).toBe("new\n");

    // The log already has the answer, so no approver is attached or needed.
    writeFileSync(join(base, "ws", "a.txt"), "old\n");
    const upTo = again.log.findIndex(({ type }) => type === "approval.decided") + 1;
    const events = again.log.slice(0, upTo).map((event) => ({
      ...(JSON.parse(JSON.stringify(event).replaceAll(again.runId, () => "another")) as typeof event),
    }));
    await using third = await openRuntime({ stateDirectory: join(base, "other") });
    const last = await start(third, script, {
      journal: memoryJournal({ events }),
      task: undefined as never,
    });
    expect(await last.done).toMatchObject({ reason: "end_turn" });
    expect(content()).toBe("new\n");
    expect((await third.audit.list())[0]).toMatchObject({
      verdict: "allow",
      decider: { how: "person", who: "ada" },
    });
  });

  it("files read before the restart count: the model may change them without reading them again", async () => {
    const first = await openRuntime({ readBeforeWrite: "enforce" });
    const run = await start(first, script);
    await asked(run);
    run.detach();
    await run.done;
    await first.dispose();
    const events = run.log.slice(
      0,
      run.log.findIndex(({ type }) => type === "approval.requested"),
    );
    await using second = await openRuntime({ readBeforeWrite: "enforce" });
    const again = await start(second, script, {
      journal: memoryJournal({ events }),
      task: undefined as never,
      onEvent: (event) => {
        if (event.type === "approval.requested") void again.decide(event.approval.stepId, { approved: true });
      },
    });
    expect(await again.done).toMatchObject({ reason: "end_turn" });
    expect(content()).toBe("new\n");
    const outcomes = again.log.flatMap((event) => (event.type === "call.settled" ? [event.outcome] : []));
    expect(outcomes).toEqual(["ok", "ok"]);
  });

  it("a change that already exists neither prompts nor runs again", async () => {
    const append = { path: "a.txt", content: "more\n" };
    const again: Script = [
      { calls: [read] },
      { calls: [{ name: "append_file", args: append }] },
      { text: "Appended." },
    ];
    const first = await openRuntime();
    const run = await start(first, again);
    await asked(run);
    run.detach();
    await run.done;
    await first.dispose();
    await using elsewhere = await openRuntime({ approver: async () => ({ approved: true }) });
    const made = await elsewhere.call("append_file", append, { callId: `${run.runId}:2:0` });
    expect(made.ok).toBe(true);
    await using second = await openRuntime();
    const taken = await start(second, again, {
      journal: memoryJournal({ events: run.log }),
      task: undefined as never,
    });
    expect(await taken.done).toMatchObject({ reason: "end_turn" });
    expect(content()).toBe("old\nmore\n");
    expect(taken.log.findLast((event) => event.type === "call.settled")).toMatchObject({
      outcome: "unknown",
      model: [{ text: expect.stringContaining("these changes: modify a.txt") }],
    });
  });

  it("an ended run without a new task is not driven again", async () => {
    await using runtime = await openRuntime();
    const run = await start(runtime, [{ text: "Hi." }]);
    await run.done;
    const journal = memoryJournal({ events: run.log });
    const again = await start(runtime, [], { journal, task: undefined as never });
    expect(await again.done).toMatchObject({ reason: "end_turn", summary: "Hi." });
    expect(again.log).toEqual(run.log);
    expect(server?.requests).toHaveLength(1);
  });
});

import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Approver, defineTool, s } from "@haft/core";
import { createNodeRuntime } from "@haft/runtime-node";
import { createTestRuntime, type TestRuntime } from "@haft/testing";
import { createTaskSessionFromClient, resultFromTaskOutcome } from "@modelcontextprotocol/ext-tasks/client";
import { Client as TaskClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { CallToolResultSchema, ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, it, onTestFinished } from "vitest";
import { connected, StreamTransport, wire } from "../fixtures/connect.js";
import { NOTE_TOOLS, WriteNote } from "../fixtures/note-tools.js";
import { serveHttp } from "../http/serve-http.js";
import type { OpenRuntime } from "../mcp-options.js";

type Answer = { action: "accept" | "decline" | "cancel"; content?: Record<string, boolean> };
interface Person {
  /** Answers the question; a client without it declares no elicitation. */
  answer?(question: Record<string, unknown>, signal: AbortSignal): Answer | Promise<Answer>;
}

/** Runs until it is cancelled or released, and reports once. */
const Work = defineTool({
  name: "work",
  summary: "Work for a long time.",
  category: "x-work",
  permissions: ["RunCode"],
  approval: "auto",
  input: s.object({ fail: s.boolean("End badly", { default: false }) }),
  output: s.object({ done: s.boolean("Whether") }),
  async run({ fail }, { report, signal }) {
    report({ message: "begun" });
    await Promise.race([
      released,
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    ]);
    if (fail) throw new Error("the work fell over");
    return { done: true };
  },
});
let release: () => void;
let released: Promise<void>;

function newWork(): void {
  released = new Promise((resolve) => {
    release = resolve;
  });
}

const runtimes: TestRuntime[] = [];
const open: OpenRuntime = async ({ approver }) => {
  const tools = [...NOTE_TOOLS, Work];
  const runtime = createTestRuntime({ tools, ...(approver && { approver }), files: { "a.txt": "old\n" } });
  runtimes.push(runtime);
  return runtime;
};
const lastRuntime = () => runtimes.at(-1) as TestRuntime;
const noteText = async () => (await lastRuntime().workspaceFiles())["a.txt"];

async function overStdio(): Promise<Transport> {
  const { output, input } = wire({ open });
  return new StreamTransport(output, input) as never;
}

async function overHttp(): Promise<Transport> {
  const service = await serveHttp(open, { version: "1", port: 0 });
  onTestFinished(() => service.close());
  return new StreamableHTTPClientTransport(new URL(service.url)) as never;
}

async function connect(transport: () => Promise<Transport>, { answer }: Person = {}): Promise<TaskClient> {
  newWork();
  const client = new TaskClient(
    { name: "test", version: "1" },
    { capabilities: answer === undefined ? {} : { elicitation: {} }, defaultTaskPollInterval: 10 },
  );
  if (answer !== undefined)
    client.setRequestHandler(
      ElicitRequestSchema,
      ({ params }, { signal }) => answer({ ...params }, signal) as never,
    );
  await client.connect(await transport());
  onTestFinished(() => client.close());
  return client;
}

/** Starts a task like the SDK's client, without following it. */
async function start(client: TaskClient, name: string, args: object, ttl?: number): Promise<string> {
  const params = { name, arguments: { ...args } };
  const task = ttl === undefined ? {} : { ttl };
  for await (const message of client.experimental.tasks.callToolStream(params, CallToolResultSchema, {
    task,
  }))
    if (message.type === "taskCreated") return message.task.taskId;
  throw new Error("no task was created");
}

const status = async (client: TaskClient, id: string) => (await client.experimental.tasks.getTask(id)).status;
const result = (client: TaskClient, id: string) =>
  client.experimental.tasks.getTaskResult(id, CallToolResultSchema);
const textOf = (answer: unknown) =>
  (answer as { content: { text: string }[] }).content.map(({ text }) => text).join();
const WRITE = { path: "a.txt", content: "new\n" };

describe.each([
  ["stdio", overStdio],
  ["HTTP", overHttp],
])("FU3 tasks of revision 2025-11-25, with the official client over %s", (_name, transport) => {
  it("offers tasks for tools that write, run or use the network, and not for tools that only read", async () => {
    const client = await connect(transport);
    expect(client.getServerCapabilities()?.tasks).toEqual({
      list: {},
      cancel: {},
      requests: { tools: { call: {} } },
    });
    const { tools } = await client.listTools();
    const support = Object.fromEntries(tools.map(({ name, execution }) => [name, execution?.taskSupport]));
    expect(support).toMatchObject({ write_note: "optional", work: "optional", send: "optional" });
    expect(support.read_note).toBeUndefined();
    await expect(start(client, "read_note", { path: "a.txt" })).rejects.toThrow(/no task/);
  });

  it("returns at once from a long call, reports its status and returns its result", async () => {
    const client = await connect(transport);
    const id = await start(client, "work", {});
    expect(await client.experimental.tasks.getTask(id)).toMatchObject({ taskId: id, status: "working" });
    expect((await client.experimental.tasks.listTasks()).tasks).toMatchObject([
      { taskId: id, status: "working" },
    ]);
    const outcome = result(client, id);
    release();
    expect(await outcome).toMatchObject({
      structuredContent: { done: true },
      _meta: { "io.modelcontextprotocol/related-task": { taskId: id } },
    });
    expect(await status(client, id)).toBe("completed");
    // A result can be read again as long as the task exists.
    expect(await result(client, id)).toMatchObject({ structuredContent: { done: true } });
  });

  it("waits for a person: input_required, the question with its task, the change", async () => {
    const questions: Record<string, unknown>[] = [];
    const client = await connect(transport, {
      answer: (question) => {
        questions.push(question);
        return { action: "accept", content: { approved: true } };
      },
    });
    const id = await start(client, "write_note", WRITE);
    await expect.poll(() => status(client, id)).toBe("input_required");
    expect(questions).toEqual([]);
    expect(await noteText()).toBe("old\n");
    expect(await result(client, id)).toMatchObject({ structuredContent: { path: "a.txt" } });
    expect(await noteText()).toBe("new\n");
    expect(questions).toHaveLength(1);
    expect(questions[0]?._meta).toMatchObject({ "io.modelcontextprotocol/related-task": { taskId: id } });
    expect(questions[0]?.message).toContain("+new");
  });

  it("carries a whole approval over the client's own stream", async () => {
    const client = await connect(transport, {
      answer: () => ({ action: "accept", content: { approved: true } }),
    });
    const seen: string[] = [];
    const params = { name: "write_note", arguments: WRITE };
    for await (const { type } of client.experimental.tasks.callToolStream(params, CallToolResultSchema, {
      task: {},
    }))
      if (seen.at(-1) !== type) seen.push(type);
    expect(seen[0]).toBe("taskCreated");
    expect(seen.at(-1)).toBe("result");
    expect(await noteText()).toBe("new\n");
  });

  it("changes nothing after a rejection, and reports it in the status and in the result", async () => {
    const client = await connect(transport, { answer: () => ({ action: "decline" }) });
    const id = await start(client, "write_note", WRITE);
    await expect.poll(() => status(client, id)).toBe("input_required");
    expect(await result(client, id)).toMatchObject({ isError: true });
    const task = await client.experimental.tasks.getTask(id);
    expect(task).toMatchObject({
      status: "failed",
      statusMessage: expect.stringMatching(/^APPROVAL_DENIED: /),
    });
    expect(await noteText()).toBe("old\n");
  });

  it("rejects at once if the client cannot prompt", async () => {
    const client = await connect(transport);
    const id = await start(client, "write_note", WRITE);
    const answer = await result(client, id);
    expect(textOf(answer)).toContain("APPROVAL_REQUIRED");
    expect(await status(client, id)).toBe("failed");
  });

  it("cancels a running call, and cancels nothing twice", async () => {
    const client = await connect(transport);
    const id = await start(client, "work", {});
    expect(await client.experimental.tasks.cancelTask(id)).toMatchObject({ taskId: id, status: "cancelled" });
    expect(textOf(await result(client, id))).toContain("CANCELLED");
    expect(await status(client, id)).toBe("cancelled");
    await expect(client.experimental.tasks.cancelTask(id)).rejects.toThrow(/already cancelled/);
  });

  it("cancels a call that waits for an answer, and closes its question", async () => {
    let asked = 0;
    let isClosed = false;
    const client = await connect(transport, {
      answer: async (_question, signal) => {
        asked += 1;
        if (asked === 1) return { action: "decline" };
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        isClosed = true;
        return { action: "accept", content: { approved: true } };
      },
    });
    // The SDK's client cannot close its first question: it treats the id 0 as missing.
    await client.callTool({ name: "write_note", arguments: WRITE });
    const id = await start(client, "write_note", WRITE);
    const outcome = result(client, id);
    await expect.poll(() => asked).toBe(2);
    await client.experimental.tasks.cancelTask(id);
    expect(await outcome).toMatchObject({ isError: true });
    await expect.poll(() => isClosed).toBe(true);
    expect(await noteText()).toBe("old\n");
  });

  it("keeps the question for the next request if the request that carried it is cancelled", async () => {
    let asked = 0;
    const client = await connect(transport, {
      answer: async (_question, signal) => {
        asked += 1;
        if (asked === 1) await new Promise((resolve) => signal.addEventListener("abort", resolve));
        return { action: "accept", content: { approved: true } };
      },
    });
    const id = await start(client, "write_note", WRITE);
    const giveUp = new AbortController();
    const first = client.experimental.tasks.getTaskResult(id, CallToolResultSchema, {
      signal: giveUp.signal,
    });
    first.catch(() => {});
    await expect.poll(() => asked).toBe(1);
    giveUp.abort();
    await expect(first).rejects.toThrow();
    expect(await status(client, id)).toBe("input_required");
    expect(await result(client, id)).toMatchObject({ structuredContent: { path: "a.txt" } });
    expect(asked).toBe(2);
  });

  it("lets the newest request carry the question, as an older one may have lost its connection", async () => {
    let asked = 0;
    const client = await connect(transport, {
      answer: async (_question, signal) => {
        asked += 1;
        if (asked === 1) await new Promise((resolve) => signal.addEventListener("abort", resolve));
        return { action: "accept", content: { approved: true } };
      },
    });
    const id = await start(client, "write_note", WRITE);
    const first = result(client, id);
    await expect.poll(() => asked).toBe(1);
    const both = await Promise.all([first, result(client, id)]);
    for (const answer of both) expect(answer).toMatchObject({ structuredContent: { path: "a.txt" } });
    expect(asked).toBe(2);
  });

  it("knows only its own tasks, and forgets a finished one after its time", async () => {
    const client = await connect(transport);
    await expect(client.experimental.tasks.getTask("made-up")).rejects.toThrow(/Task not found/);
    const id = await start(client, "work", {}, 1);
    await delay(5);
    expect(await status(client, id)).toBe("working");
    const outcome = result(client, id);
    release();
    await outcome;
    await expect(client.experimental.tasks.getTask(id)).rejects.toThrow(/Task not found/);
  });
});

describe("tasks of one connection", () => {
  it("continue if another process approves", async () => {
    const folder = await mkdtemp(join(tmpdir(), "haft-task-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await writeFile(join(folder, "a.txt"), "old\n");
    const nodeRuntime = (approver?: Approver) =>
      createNodeRuntime({
        workspace: folder,
        tools: [WriteNote],
        role: "admin",
        readBeforeWrite: "off",
        ...(approver && { approver }),
      });
    const transport = async () => {
      const { output, input } = wire({ open: ({ approver }) => nodeRuntime(approver) });
      return new StreamTransport(output, input) as never;
    };
    const client = await connect(transport, { answer: () => new Promise(() => {}) });
    const id = await start(client, "write_note", WRITE);
    const outcome = result(client, id);
    await expect.poll(() => status(client, id), { timeout: 20_000 }).toBe("input_required");
    const other = await nodeRuntime(async () => ({ approved: false }));
    onTestFinished(() => other.dispose());
    const [request] = await other.pending();
    await other.decide(request?.stepId as string, { approved: true });
    expect(await outcome).toMatchObject({ structuredContent: { path: "a.txt" } });
    expect(await readFile(join(folder, "a.txt"), "utf8")).toBe("new\n");
  });

  it("end with the connection", async () => {
    const client = await connect(overStdio);
    await start(client, "work", {});
    const { events } = lastRuntime();
    await client.close();
    await expect.poll(() => events.some(({ type }) => type === "finished")).toBe(true);
  });

  it("work with the task session of the extension package", async () => {
    newWork();
    release();
    const { client } = await connected({ open });
    const session = createTaskSessionFromClient(client, { endpointId: "haft" });
    onTestFinished(() => session.close());
    const execution = await session.callTool("work", {});
    const { outcome } = await execution.settle();
    expect(resultFromTaskOutcome(outcome)).toMatchObject({ structuredContent: { done: true } });
  });

  it("are not offered to clients of 2026-07-28, which get the question in the answer itself", async () => {
    const { client } = await connected({ open, era: "modern" });
    expect(client.getServerCapabilities()?.tasks).toBeUndefined();
    const { tools } = await client.listTools();
    expect(tools.every((tool) => !("execution" in tool))).toBe(true);
  });
});

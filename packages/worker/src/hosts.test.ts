import { existsSync, readFileSync } from "node:fs";
import { startRun } from "@haft/agent";
import { openAiModel } from "@haft/agent/openai";
import { startScriptedModel } from "@haft/agent/scripted-model";
import { wrapRuntime } from "@haft/core";
import { memorySharedStore } from "@haft/core/calls";
import { toAiSdkTools } from "@haft/prompt-formatter/ai-sdk";
import { postgresStore } from "@haft/store-postgres";
import { generateText, stepCountIs } from "ai";
import { expect, it } from "vitest";
import { describeUnless } from "../../../tooling/testing/describe-unless.js";
import { noPostgres, startPostgres } from "../../../tooling/testing/start-postgres.js";
import { connect } from "../../mcp/src/fixtures/connect.js";
import { aiSdkModel } from "../../prompt-formatter/src/fixtures/scripted-models.js";
import { ANN, ServedWorkspaces, until } from "./fixtures/served-workspaces.js";
import type { ServeOptions } from "./index.js";

const approver = async () => ({ approved: true });
const TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const WRITE = { path: "b.txt", content: "written\n" };

const HOSTS = {
  memory: async () => memorySharedStore(),
  PostgreSQL: async () => {
    const server = await startPostgres();
    const store = postgresStore(server.url);
    await store.migrate();
    return {
      ...store,
      close: async () => {
        await store.close();
        await server[Symbol.asyncDispose]();
      },
    };
  },
} as const;

for (const [name, openStore] of Object.entries(HOSTS))
  describeUnless(
    name === "memory" ? undefined : noPostgres(),
    `hosts over a remote runtime, unchanged, over ${name}`,
    { timeout: 60_000 },
    () => {
      const open = async (files: Readonly<Record<string, string>>, options: Partial<ServeOptions> = {}) =>
        ServedWorkspaces.open(files, { store: await openStore(), ...options });

      it("FP5 an MCP client reads, and approves a write by elicitation", async () => {
        await using served = await open({ "a.txt": "alpha\n" });
        const { client, questions } = await connect({
          open: ({ approver: person }) =>
            served.connect({ principal: ANN, ...(person && { approver: person }) }),
          answer: () => ({ action: "accept", content: { approved: true } }),
        });
        const { tools } = await client.listTools();
        expect(tools.map(({ name }) => name)).toContain("write_file");
        const read = await client.callTool({ name: "read_file", arguments: { path: "a.txt" } });
        expect(JSON.stringify(read.content)).toContain("alpha");
        const written = await client.callTool({ name: "write_file", arguments: WRITE });
        expect(written.isError).not.toBe(true);
        expect(questions).toHaveLength(1);
        expect(served.read("b.txt")).toBe("written\n");
      });

      it("FP5 trace context travels from MCP through the store to the worker", async () => {
        const traces: unknown[] = [];
        const wrap: ServeOptions["wrap"] = (runtime) =>
          wrapRuntime(runtime, (call, next) => {
            traces.push(call.options.trace);
            return next();
          });
        await using served = await open({ "a.txt": "alpha\n" }, { wrap });
        const { client } = await connect({ open: () => served.connect() });
        const read = { name: "read_file", arguments: { path: "a.txt" } };
        await client.callTool({
          ...read,
          _meta: { traceparent: TRACEPARENT, tracestate: "a=b", other: "x" },
        });
        await client.callTool(read);
        const traced = await served.connect({ trace: () => ({ traceparent: TRACEPARENT }) });
        await traced.call("read_file", { path: "a.txt" });
        expect(traces).toEqual([
          { traceparent: TRACEPARENT, tracestate: "a=b" },
          undefined,
          { traceparent: TRACEPARENT },
        ]);
      });

      it("FP5 the agent loop drives a run", async () => {
        await using served = await open({ "a.txt": "alpha\n" });
        await using server = await startScriptedModel([
          {
            calls: [
              { name: "read_file", args: { path: "a.txt" } },
              { name: "write_file", args: WRITE },
            ],
          },
          { text: "Done." },
        ]);
        const runtime = await served.connect({ principal: ANN, approver });
        const model = openAiModel({ baseUrl: server.url, model: "scripted" });
        const run = startRun({ task: "Do it.", system: "You test.", runtime, model });
        expect(await run.done).toMatchObject({ reason: "end_turn" });
        const outcomes = run.log.flatMap((event) => (event.type === "call.settled" ? [event.outcome] : []));
        expect(outcomes).toEqual(["ok", "ok"]);
        expect(served.read("b.txt")).toBe("written\n");
      });

      it("S1 S2 an agent process that dies while its call runs gets the result when it comes back", async () => {
        await using served = await open({});
        const log = `${served.root}/log`;
        await using server = await startScriptedModel([
          { calls: [{ name: "appends", args: { log, line: "x", after_ms: 800 } }] },
          { text: "Done." },
        ]);
        const model = openAiModel({ baseUrl: server.url, model: "scripted" });
        const begin = async (given: { readonly task?: string }) => {
          const runtime = await served.connect();
          const journal = await served.store.runs("acme").open("run-1");
          return {
            runtime,
            run: startRun({ ...given, system: "You test.", runtime, model, journal: journal as never }),
          };
        };
        const { runtime, run } = await begin({ task: "Do it." });
        await until(() => existsSync(log) && run.log.some(({ type }) => type === "call.started"));
        // What remains of a dead process: its journal, and the call on its worker.
        run.detach();
        expect(await run.done).toMatchObject({ reason: "detached" });
        await runtime.dispose();
        const { run: continued } = await begin({});
        expect(await continued.done).toMatchObject({ reason: "end_turn" });
        expect(continued.log.find(({ type }) => type === "call.settled")).toMatchObject({ outcome: "ok" });
        expect(readFileSync(log, "utf8")).toBe("x\n");
      });

      it("FP5 the AI SDK generates with its tools", async () => {
        await using served = await open({ "a.txt": "alpha\n" });
        const runtime = await served.connect({ principal: ANN, approver });
        const { text } = await generateText({
          model: aiSdkModel([{ tool: "write_file", args: WRITE, id: "1" }, "Done."]),
          tools: toAiSdkTools(runtime),
          prompt: "Do it.",
          stopWhen: stepCountIs(3),
        });
        expect(text).toBe("Done.");
        expect(served.read("b.txt")).toBe("written\n");
      });
    },
  );

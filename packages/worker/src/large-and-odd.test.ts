import { defineTool, s } from "@haft/core";
import { decideApproval, pendingApprovals } from "@haft/core/calls";
import { type PostgresStore, postgresStore } from "@haft/store-postgres";
import { WriteFile } from "@haft/tool-fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { describeUnless } from "../../../tooling/testing/describe-unless.js";
import { noPostgres, type PostgresServer, startPostgres } from "../../../tooling/testing/start-postgres.js";
import { ANN, BOT, ServedWorkspaces, until } from "./fixtures/served-workspaces.js";

const ODD = "nul \0, half pairs \ud83d and \ude00, json:\"x\", 'quotes', %";

/** Returns as many megabytes as it is asked for. */
const Grow = defineTool({
  name: "grow",
  summary: "Return a long text.",
  category: "execute",
  permissions: ["ExecuteCommands"],
  approval: "auto",
  input: s.object({ mb: s.integer("Size") }),
  run: async ({ mb }) => ({ text: "x".repeat(mb * 1_000_000) }),
});

describeUnless(noPostgres(), "odd and large values over PostgreSQL", { timeout: 120_000 }, () => {
  let server: PostgresServer;
  let count = 0;
  beforeAll(async () => {
    server = await startPostgres();
  }, 60_000);
  afterAll(() => server?.[Symbol.asyncDispose](), 60_000);
  const open = async (maxConnections = 4): Promise<PostgresStore> => {
    count += 1;
    const store = postgresStore({ url: server.url, schema: `odd_${count}`, maxConnections });
    await store.migrate();
    return store;
  };

  it("FP5 NUL and half surrogate pairs in arguments, ids, answers and results travel whole", async () => {
    const tools = [WriteFile, Grow];
    await using served = await ServedWorkspaces.open({}, { store: await open(), tools });
    const runtime = await served.connect({ session: ODD });
    const callId = `id ${ODD}`;
    const made = runtime.call("write_file", { path: "a.txt", content: "nul \0\n" }, { callId });
    const [asked] = await until(async () => {
      const pending = await pendingApprovals(served.store, "acme");
      return pending.length > 0 && pending;
    });
    expect(asked?.request).toMatchObject({ callId });
    const answer = { approved: false, feedback: ODD };
    await decideApproval(served.store, ANN, { approvalId: asked?.request.stepId ?? "", answer });
    const result = await made;
    expect(result).toMatchObject({ ok: false, callId, error: { code: "APPROVAL_DENIED" } });
    const again = await served.connect();
    expect(await again.resultOf(callId)).toEqual(result);
    expect(await runtime.call("write_file", { path: "c.txt", content: ODD })).toMatchObject({
      error: { code: "INVALID_ARGUMENTS" },
    });
    expect(await runtime.call("write_file", { path: `b\0${ODD}`, content: "x" })).toMatchObject({
      ok: false,
    });
    expect(await served.store.audit("acme").verify()).toMatchObject({ intact: true });
  });

  it("FP5 a result of 100 MB is settled and read, and other calls go on", async () => {
    await using served = await ServedWorkspaces.open({}, { store: await open(), tools: [Grow] });
    const runtime = await served.connect();
    const large = runtime.call("grow", { mb: 100 }, { callId: "large" });
    const small = await Promise.all(Array.from({ length: 20 }, () => runtime.call("grow", { mb: 0 })));
    expect(small.every(({ ok }) => ok)).toBe(true);
    const result = await large;
    expect(result.ok && (result.value as { text: string }).text.length).toBe(100_000_000);
  });

  it("FP5 500 calls share one connection of agent and worker, and none is lost", async () => {
    await using served = await ServedWorkspaces.open({}, { store: await open(1), tools: [Grow] });
    const runtime = await served.connect({ principal: BOT });
    const made = await Promise.all(Array.from({ length: 500 }, () => runtime.call("grow", { mb: 0 })));
    expect(made.filter(({ ok }) => !ok)).toEqual([]);
  });
});

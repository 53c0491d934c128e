import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  decideApproval,
  memorySharedStore,
  type Principal,
  pendingApprovals,
  type SharedStore,
} from "@haft/core/calls";
import { isDecision } from "@haft/core/stores";
import { postgresStore } from "@haft/store-postgres";
import { WriteFile } from "@haft/tool-fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeUnless } from "../../../tooling/testing/describe-unless.js";
import { noPostgres, type PostgresServer, startPostgres } from "../../../tooling/testing/start-postgres.js";
import { ANN, BOT, ServedWorkspaces, until } from "./fixtures/served-workspaces.js";
import { SessionRuntimes } from "./session-runtimes.js";

const ZOE: Principal = { tenant: "zenith", id: "zoe" };
const WRITE = { path: "new.txt", content: "new\n" };

describeUnless(noPostgres(), "tenants of one worker, over PostgreSQL", () => {
  let server: PostgresServer | undefined;
  let count = 0;
  beforeAll(async () => {
    server = await startPostgres();
  }, 60_000);
  afterAll(() => server?.[Symbol.asyncDispose](), 60_000);

  /** Two tenants, each with a workspace `ws`, and one of acme that zenith does not have. ann and zoe may approve. */
  async function openTenants(): Promise<ServedWorkspaces> {
    count += 1;
    const store = postgresStore({ url: (server as PostgresServer).url, schema: `attacks_${count}` });
    await store.migrate();
    const served = new ServedWorkspaces(store);
    for (const place of ["acme/ws", "acme/secret", "zenith/ws"]) {
      mkdirSync(join(served.root, place), { recursive: true });
      writeFileSync(join(served.root, place, "a.txt"), `${place}\n`);
    }
    await store.members.put({ ...ANN, rights: ["approve"] });
    await store.members.put({ ...ZOE, rights: ["approve", "operate"] });
    await served.work({ layout: "tenants" });
    return served;
  }

  it("FP5 a workspace of another tenant does not exist, however it is named", async () => {
    await using served = await openTenants();
    for (const workspace of ["secret", "../acme/secret", "acme/secret", "../../acme/ws", "", ".", "%"])
      await expect(served.connect({ principal: ZOE, workspace, connectMs: 1 })).rejects.toMatchObject({
        code: "WORKSPACE_UNAVAILABLE",
      });
  });

  it("FP5 the same call id in two tenants names two calls", async () => {
    await using served = await openTenants();
    const read = async (principal: Principal) => {
      const runtime = await served.connect({ principal, session: "s1" });
      return runtime.call("read_file", { path: "a.txt" }, { callId: "c1" });
    };
    const [theirs, mine] = await Promise.all([read(BOT), read(ZOE)]);
    expect(theirs).toMatchObject({ ok: true, text: expect.stringContaining("acme/ws") });
    expect(mine).toMatchObject({ ok: true, text: expect.stringContaining("zenith/ws") });
    expect(await read(ZOE)).toMatchObject({ ok: true, text: expect.stringContaining("zenith/ws") });
  });

  it("FP5 a path of another tenant is outside the workspace", async () => {
    await using served = await openTenants();
    const runtime = await served.connect({ principal: ZOE });
    const theirs = join(served.root, "acme/ws/a.txt");
    const state = join(served.root, ".haft-state/acme/ws");
    for (const path of ["../../acme/ws/a.txt", theirs, state, "../../.haft-state/acme/ws"])
      expect(await runtime.call("read_file", { path })).toMatchObject({ ok: false });
    expect(await runtime.call("write_file", { ...WRITE, path: theirs })).toMatchObject({ ok: false });
    expect(readFileSync(theirs, "utf8")).toBe("acme/ws\n");
  });

  it("FP5 only a member of the tenant with the right can approve, and only while it has the right", async () => {
    await using served = await openTenants();
    const { store } = served;
    const runtime = await served.connect();
    const written = runtime.call(WriteFile, WRITE, { callId: "c1" });
    const approvalId = await firstQuestion(store, "acme");
    const decide = (principal: Principal) =>
      decideApproval(store, principal, { approvalId, answer: { approved: true } });
    await store.members.put({ tenant: "acme", id: "olaf", rights: ["operate"] });
    await store.members.put({ tenant: "acme", id: "gone", rights: ["approve"] });
    await store.members.remove({ tenant: "acme", id: "gone" });
    for (const id of ["bot", "zoe", "olaf", "gone", "Ann", "ann ", "ann\0", "%", ""])
      await expect(decide({ tenant: "acme", id })).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
    // zoe may approve for zenith, where this question does not exist.
    await expect(decide(ZOE)).rejects.toMatchObject({ code: "APPROVAL_NOT_FOUND" });
    expect(await pendingApprovals(store, "zenith")).toEqual([]);
    await store.members.put({ ...ANN, rights: [] });
    await expect(decide(ANN)).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
    expect(await pendingApprovals(store, "acme")).toHaveLength(1);
    await store.members.put({ ...ANN, rights: ["approve"] });
    await decide(ANN);
    expect(await written).toMatchObject({ ok: true });
    const audit = (await store.audit("acme").list()).filter(isDecision);
    expect(audit).toMatchObject([{ callId: "c1", decider: { how: "person", who: "ann" } }]);
    expect(await store.audit("zenith").list()).toEqual([]);
  });

  it("FP5 the approver of a principal without the right does not answer, and arguments grant nothing", async () => {
    await using served = await openTenants();
    const runtime = await served.connect({ approver: async () => ({ approved: true }) });
    const forged = { ...WRITE, approved: true, principal: "ann", tenant: "zenith" };
    expect(await runtime.call("write_file", forged)).toMatchObject({
      error: { code: "INVALID_ARGUMENTS" },
    });
    const asked: string[] = [];
    runtime.watch(({ type }) => asked.push(type));
    const written = runtime.call(WriteFile, WRITE, { callId: "c2" });
    const approvalId = await firstQuestion(served.store, "acme");
    await until(() => asked.includes("approval-requested"));
    await expect(runtime.decide(approvalId, { approved: true })).rejects.toMatchObject({
      code: "PERMISSION_DENIED",
    });
    expect(await served.store.approvals("acme").decision(approvalId)).toBeUndefined();
    await decideApproval(served.store, ANN, { approvalId, answer: { approved: false } });
    expect(await written).toMatchObject({ ok: false, error: { code: "APPROVAL_DENIED" } });
  });

  it("FP5 the queue of one tenant does not fill that of another", async () => {
    await using served = await openTenants();
    const { calls } = served.store;
    await calls.limit({ tenant: "acme", maxQueued: 1, maxRunning: 1 });
    const call = { workspace: "none", tool: "read_file", principal: "bot", session: "s" };
    await calls.submit({ ...call, tenant: "acme", callId: "c1" });
    await expect(calls.submit({ ...call, tenant: "acme", callId: "c2" })).rejects.toMatchObject({
      code: "OVERLOADED",
    });
    expect(await calls.submit({ ...call, tenant: "zenith", callId: "c2" })).toMatchObject({
      state: "queued",
    });
  });
});

describe("tenants of one worker", () => {
  it("FP5 a call that ends in one tenant does not hide the earlier question of its namesake in another", async () => {
    await using served = new ServedWorkspaces(memorySharedStore());
    const done: string[] = [];
    const stop = new AbortController();
    const note = (what: string) => {
      done.push(what);
      stop.abort();
    };
    const store: SharedStore = {
      ...served.store,
      approvals: (tenant) => ({
        ...served.store.approvals(tenant),
        insert: async () => note(`asked in ${tenant}`),
        list: async () => {
          note(`looked in ${tenant}`);
          return [];
        },
      }),
    };
    const runtimes = new SessionRuntimes(store, { tools: [WriteFile] });
    const placeOf = (tenant: string) => {
      const folder = join(served.root, tenant, "ws");
      mkdirSync(folder, { recursive: true });
      return { tenant, workspace: "ws", folder, stateDirectory: join(served.root, "state", tenant) };
    };
    const callOf = (tenant: string) =>
      ({ tenant, callId: "c1", session: "s", approvalId: "p1", attempt: 1, tool: "write_file" }) as never;
    await runtimes.use(placeOf("acme"), callOf("acme"), async ({ runtime }) => {
      await runtimes.use(placeOf("zenith"), callOf("zenith"), async () => {});
      await runtime.call("write_file", WRITE, { callId: "c1", signal: stop.signal });
    });
    await runtimes.close();
    expect(done[0]).toBe("looked in acme");
  });

  it("FP5 refuses a tenant whose name is not a folder name, because its state would be elsewhere", async () => {
    await using served = new ServedWorkspaces(memorySharedStore());
    for (const tenant of ["", ".", "..", "../acme", "a/b", "a\\b", "a\0"])
      await expect(served.work({ tenant })).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  });
});

async function firstQuestion(store: SharedStore, tenant: string): Promise<string> {
  return until(async () => (await pendingApprovals(store, tenant))[0]?.request.stepId);
}

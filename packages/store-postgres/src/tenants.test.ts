import { decideApproval, type SharedStore } from "@haft/core/calls";
import type { ApprovalRecord, AuditEntry } from "@haft/core/stores";
import pg from "pg";
import { expect, it } from "vitest";
import { describeUnless } from "../../../tooling/testing/describe-unless.js";
import { noPostgres } from "../../../tooling/testing/start-postgres.js";
import { testServer } from "./fixtures/open-schema.js";

describeUnless(noPostgres(), "tenants and members in PostgreSQL", () => {
  const servers = testServer();

  it("FP5 a tenant sees no record of another, in any part of the store", async () => {
    const store = await servers.open();
    await store.approvals("a").insert(approval("p1"));
    await store.grants({ tenant: "a", workspace: "ws" }).insert(GRANT);
    await store.audit("a").append(ENTRY);
    const journal = await store.runs("a").open("r1");
    await journal.append({ runId: "r1", seq: 1 });
    await journal.close();
    await store.members.put({ tenant: "a", id: "ann", rights: ["approve"] });
    const theirs = store.approvals("b");
    expect(await theirs.list()).toEqual([]);
    expect(await theirs.list({ callId: "c1" })).toEqual([]);
    expect(await theirs.take("p1")).toBe(false);
    expect(await theirs.decide("p1", { approved: true })).toBe(true);
    expect(await store.approvals("a").decision("p1")).toBeUndefined();
    expect(await store.grants({ tenant: "b", workspace: "ws" }).list()).toEqual([]);
    expect(await store.grants({ tenant: "a", workspace: "other" }).list()).toEqual([]);
    expect(await store.grants({ tenant: "b", workspace: "ws" }).remove(GRANT.id)).toBe(false);
    expect(await store.audit("b").list()).toEqual([]);
    expect(await store.runs("b").list()).toEqual([]);
    expect(await store.runs("b").read("r1")).toEqual([]);
    expect(await store.runs("b").remove("r1")).toBe(false);
    expect(await store.members.list("b")).toEqual([]);
    expect(await store.members.remove({ tenant: "b", id: "ann" })).toBe(false);
  });

  it("FP5 approving requires the right, in the tenant of the approval", async () => {
    const store = await servers.open();
    await store.calls.submit(CALL);
    await store.approvals("a").insert(approval("p1"));
    await store.members.put({ tenant: "a", id: "ann", rights: ["approve"] });
    await store.members.put({ tenant: "a", id: "olaf", rights: ["operate"] });
    await store.members.put({ tenant: "b", id: "bob", rights: ["approve"] });
    const decide = (tenant: string, id: string) =>
      decideApproval(store, { tenant, id }, { approvalId: "p1", answer: { approved: true } });
    for (const id of ["bob", "olaf", "", "nobody"])
      await expect(decide("a", id)).rejects.toMatchObject({
        code: "PERMISSION_DENIED",
        hint: expect.stringContaining("haft store member"),
      });
    await expect(decide("b", "bob")).rejects.toMatchObject({ code: "APPROVAL_NOT_FOUND" });
    await decide("a", "ann");
    await expect(decide("a", "ann")).rejects.toMatchObject({ code: "ALREADY_DECIDED" });
    expect(await store.approvals("a").decision("p1")).toMatchObject({
      approved: true,
      answer: { by: { how: "person", who: "ann" } },
    });
  });

  it("FP5 a principal cannot sign as another one", async () => {
    const store: SharedStore = await servers.open();
    await store.calls.submit(CALL);
    await store.approvals("a").insert(approval("p1"));
    await store.members.put({ tenant: "a", id: "ann", rights: ["approve"] });
    const answer = { approved: true, by: { how: "person", who: "the boss" } } as const;
    await decideApproval(store, { tenant: "a", id: "ann" }, { approvalId: "p1", answer });
    expect((await store.approvals("a").decision("p1"))?.answer?.by).toEqual({ how: "person", who: "ann" });
  });

  it("FP5 pruning deletes the approvals of the calls that it deletes, however many, and no others", async () => {
    const store = await servers.open();
    const { calls } = store;
    await calls.lease({ worker: "w", workspaces: [CALL], ttlMs: 60_000 });
    await calls.limit({ tenant: "a", maxRunning: 9_999 });
    const ids = Array.from({ length: 1_001 }, (_, nth) => `c${nth}`);
    await Promise.all(ids.map((callId) => calls.submit({ ...CALL, callId })));
    await Promise.all(ids.map((callId) => calls.cancel({ ...CALL, callId, by: "p" })));
    await calls.submit({ ...CALL, callId: "open" });
    for (const callId of ["c0", "c1", "open"])
      await store.approvals("a").insert(approval(`of ${callId}`, callId));
    expect(await store.approvals("a").take("of c1")).toBe(true);
    expect(await calls.prune({ settledBeforeMs: Date.now() + 60_000 })).toBe(1_001);
    const database = new pg.Client(servers.server.url);
    await database.connect();
    const { rows } = await database.query(`SELECT id FROM ${store.schema}.approval`);
    await database.end();
    expect(rows).toEqual([{ id: "of open" }]);
  });

  it.each(["{{{", "null", "5", '"text"', "[]", '{"seq":0}', '{"seq":"x","hash":"","previous":""}'])(
    "FP5 an audit row changed to %s is detected, wherever it is, and the others stay readable",
    async (body) => {
      const store = await servers.open();
      const audit = store.audit("a");
      for (const callId of ["c1", "c2", "c3"]) await audit.append({ ...ENTRY, callId });
      const database = new pg.Client(servers.server.url);
      await database.connect();
      const change = `UPDATE ${store.schema}.audit SET body = $1 WHERE seq = $2`;
      for (const [seq, problem, left] of [
        [3, "record 3 was cut off", 2],
        [2, "records 2 to 3 were cut off", 1],
      ] as const) {
        await database.query(change, [body, seq]);
        expect(await audit.verify()).toMatchObject({ intact: false, at: seq, problem });
        expect(await audit.list()).toHaveLength(left);
      }
      await database.query(`DELETE FROM ${store.schema}.audit WHERE seq = 2`);
      await database.query(`UPDATE ${store.schema}.audit_head SET seq = 1, hash = $1`, [
        (await audit.list())[0]?.hash,
      ]);
      expect(await audit.verify()).toMatchObject({ intact: false, problem: "row 3 is not a record" });
      await database.end();
    },
  );

  it("FP5 a log without its head accepts further records, and the damage stays visible", async () => {
    const store = await servers.open();
    await store.audit("a").append(ENTRY);
    const database = new pg.Client(servers.server.url);
    await database.connect();
    await database.query(`DELETE FROM ${store.schema}.audit_head`);
    await database.end();
    for (const audit of [store.audit("a"), servers.reopen(store.schema).audit("a")]) {
      await audit.append(ENTRY);
      expect(await audit.verify()).toMatchObject({ intact: false, at: 2, problem: "record 2 is missing" });
    }
    expect(await store.audit("a").list()).toHaveLength(3);
  });

  it("FP5 a log whose pages end with a changed record is read to its end", async () => {
    const store = await servers.open();
    const audit = store.audit("a");
    await Promise.all(
      Array.from({ length: 1_001 }, (_, index) => audit.append({ ...ENTRY, callId: `c${index}` })),
    );
    const database = new pg.Client(servers.server.url);
    await database.connect();
    await database.query(
      `UPDATE ${store.schema}.audit SET body = '{"seq":0,"hash":"","previous":""}' WHERE seq = 1000`,
    );
    await database.end();
    expect(await audit.verify()).toMatchObject({ intact: false, at: 1_000 });
  });
});

const CALL = {
  tenant: "a",
  workspace: "ws",
  callId: "c1",
  tool: "write_file",
  args: {},
  principal: "p",
  session: "s",
};

const GRANT = {
  id: "g1",
  label: "write_file may modify a.txt",
  match: { tool: "write_file", role: "coder" },
  scope: "project",
  createdAt: "2026-01-01T00:00:00.000Z",
} as const;

const ENTRY: AuditEntry = {
  at: "2026-01-02T03:04:05.678Z",
  callId: "c1",
  tool: "write_file",
  role: "coder",
  args: {},
  changes: [],
  paths: [],
  effect: "ask",
  because: "",
  verdict: "allow",
  decider: { how: "person" },
};

function approval(stepId: string, callId = "c1"): ApprovalRecord {
  return {
    request: {
      stepId,
      callId,
      tool: "write_file",
      role: "coder",
      args: {},
      reason: "",
      changes: [],
      risk: "low",
      grants: [],
      planDigest: "p",
    },
    requestedAt: "2026-01-01T00:00:00.000Z",
    workspace: "ws",
    call: { tool: "write_file", args: {} },
  };
}

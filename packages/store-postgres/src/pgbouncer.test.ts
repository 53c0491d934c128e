import { describeApprovalContract, describeAuditContract, describeCallContract } from "@haft/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { describeUnless } from "../../../tooling/testing/describe-unless.js";
import { noPgbouncer, startPgbouncer } from "../../../tooling/testing/start-pgbouncer.js";
import { noPostgres } from "../../../tooling/testing/start-postgres.js";
import { testServer } from "./fixtures/open-schema.js";
import type { PostgresStore } from "./postgres-store.js";

describeUnless(noPostgres() ?? noPgbouncer(), "PostgreSQL behind PgBouncer in transaction mode", () => {
  const servers = testServer();
  let pooler: Awaited<ReturnType<typeof startPgbouncer>>;
  beforeAll(async () => {
    pooler = await startPgbouncer(servers.server.url);
  }, 60_000);
  afterAll(async () => pooler?.[Symbol.asyncDispose](), 60_000);
  const pooled = () => ({ url: pooler.url, listenUrl: servers.server.url });

  const part =
    <T>(pick: (store: PostgresStore) => T) =>
    async () => {
      const store = await servers.open(pooled());
      return {
        store: pick(store),
        reopen: () => pick(servers.reopen(store.schema, pooled())),
        [Symbol.asyncDispose]: () => store.close(),
      };
    };

  describeCallContract(
    "PgBouncer",
    part(({ calls }) => calls),
  );
  describeApprovalContract(
    "PgBouncer",
    part((store) => store.approvals("acme")),
  );
  describeAuditContract(
    "PgBouncer",
    part((store) => store.audit("acme")),
  );

  it("FP5 hints arrive through the direct connection", async () => {
    const store = await servers.open(pooled());
    const other = servers.reopen(store.schema, pooled());
    let isHeard = false;
    store.calls.watch(() => {
      isHeard = true;
    });
    const call = { tenant: "acme", workspace: "ws", tool: "t", principal: "p", session: "s" };
    for (let nth = 0; !isHeard; nth += 1) {
      await other.calls.submit({ ...call, callId: `c${nth}` });
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(isHeard).toBe(true);
  });
});

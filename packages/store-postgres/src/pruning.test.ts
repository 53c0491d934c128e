import { expect, it } from "vitest";
import { describeUnless } from "../../../tooling/testing/describe-unless.js";
import { noPostgres } from "../../../tooling/testing/start-postgres.js";
import { testServer } from "./fixtures/open-schema.js";

describeUnless(noPostgres(), "settled calls in PostgreSQL", () => {
  const servers = testServer();

  it("FP5 two processes that prune at once delete everything, and count each call once", async () => {
    const store = await servers.open();
    const other = servers.reopen(store.schema);
    const ids = Array.from({ length: 2_500 }, (_, nth) => `c${nth}`);
    await Promise.all(ids.map((callId) => store.calls.submit({ ...CALL, callId })));
    await Promise.all(ids.map((callId) => store.calls.cancel({ ...CALL, callId, by: "p" })));
    const settledBeforeMs = Date.now() + 60_000;
    const counts = await Promise.all([store, other].map(({ calls }) => calls.prune({ settledBeforeMs })));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(2_500);
    expect(await store.calls.prune({ settledBeforeMs })).toBe(0);
  });
});

const CALL = { tenant: "a", workspace: "ws", tool: "t", args: {}, principal: "p", session: "s" };

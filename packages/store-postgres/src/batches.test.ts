import { describe, expect, it, vi } from "vitest";
import { describeUnless } from "../../../tooling/testing/describe-unless.js";
import { noPostgres } from "../../../tooling/testing/start-postgres.js";
import { Batcher } from "./batcher.js";
import { testServer } from "./fixtures/open-schema.js";

describeUnless(noPostgres(), "what many calls share in one statement", () => {
  const servers = testServer();

  it("S8 calls submitted at once are claimed in the order of submission", async () => {
    const { calls } = await servers.open();
    await calls.lease({ worker: "w1", workspaces: [PLACE], ttlMs: 60_000 });
    const ids = Array.from({ length: 100 }, (_, index) => `c${(index * 37) % 100}`);
    await Promise.all(ids.map((callId) => calls.submit({ ...CALL, callId })));
    await calls.limit({ tenant: "acme", maxRunning: 200 });
    const claimed = await calls.claim({ worker: "w1", limit: 200 });
    expect(claimed.map(({ callId }) => callId)).toEqual(ids);
  });

  it("S1 S10 each gets its own answer: new, known, in conflict, beyond the queue", async () => {
    const { calls } = await servers.open();
    await calls.limit({ tenant: "acme", maxQueued: 3 });
    await calls.submit({ ...CALL, callId: "known" });
    const given = [
      { ...CALL, callId: "known" },
      { ...CALL, callId: "known", args: { other: true } },
      { ...CALL, callId: "new" },
      { ...CALL, callId: "new" },
      { ...CALL, callId: "new", args: { other: true } },
      { ...CALL, callId: "last" },
      { ...CALL, callId: "beyond" },
      { ...CALL, callId: "elsewhere", tenant: "other" },
    ];
    const answers = await Promise.allSettled(given.map((call) => calls.submit(call)));
    expect(
      answers.map((each) => (each.status === "fulfilled" ? each.value.callId : each.reason.code)),
    ).toEqual([
      "known",
      "CALL_ID_CONFLICT",
      "new",
      "new",
      "CALL_ID_CONFLICT",
      "last",
      "OVERLOADED",
      "elsewhere",
    ]);
  });

  it("S4 of many simultaneous reports each call settles once, and only by the holder of the claim", async () => {
    const { calls } = await servers.open();
    await calls.lease({ worker: "w1", workspaces: [PLACE], ttlMs: 60_000 });
    await Promise.all(["a", "b"].map((callId) => calls.submit({ ...CALL, callId })));
    await calls.claim({ worker: "w1", limit: 2 });
    const settle = (callId: string, epoch: number, n: number) =>
      calls.settle({ ...ref(callId, epoch), settlement: { outcome: "ok", result: n } });
    expect(
      await Promise.all([settle("a", 2, 1), settle("a", 1, 2), settle("a", 1, 3), settle("b", 1, 4)]),
    ).toEqual([false, true, false, true]);
    const [settled] = await calls.find({ tenant: "acme", callIds: ["a"] });
    expect(settled?.settlement).toEqual({ outcome: "ok", result: 2 });
  });

  it("FP5 a report that the server refuses does not fail the others of its batch", async () => {
    const { calls } = await servers.open();
    await calls.lease({ worker: "w1", workspaces: [PLACE], ttlMs: 60_000 });
    await calls.submit({ ...CALL, callId: "a" });
    await calls.claim({ worker: "w1", limit: 1 });
    const settlement = { outcome: "ok" } as const;
    const [odd, fine] = await Promise.allSettled([
      calls.settle({ ...ref("a", 1), worker: "w\0", settlement }),
      calls.settle({ ...ref("a", 1), settlement }),
    ]);
    expect(odd.status).toBe("rejected");
    expect(fine).toEqual({ status: "fulfilled", value: true });
  });

  it("S13 processes that append in turn, alone and at once keep one chain, read in several pages", async () => {
    const first = await servers.open();
    const stores = [first, servers.reopen(first.schema), servers.reopen(first.schema)];
    const logs = stores.map((store) => store.audit("acme"));
    for (const turns of [1, 4, 1, 1, 3])
      for (const log of logs) for (let turn = 0; turn < turns; turn += 1) await log.append(ENTRY);
    await Promise.all(logs.flatMap((log) => Array.from({ length: 400 }, () => log.append(ENTRY))));
    expect(await logs[0]?.verify()).toEqual({ intact: true, records: 1_230 });
    expect((await logs[1]?.list())?.map(({ seq }) => seq)).toEqual(
      Array.from({ length: 1_230 }, (_, n) => n + 1),
    );
    expect((await logs[2]?.list(1_225))?.map(({ seq }) => seq)).toEqual([1_226, 1_227, 1_228, 1_229, 1_230]);
    expect(await logs[2]?.list(1_230)).toEqual([]);
  });

  it("FP5 a process receives its own hints without a listening connection", async () => {
    const { calls } = await servers.open({ listenUrl: false });
    const heard: string[] = [];
    calls.watch(({ topic }) => heard.push(topic));
    await calls.submit({ ...CALL, callId: "a" });
    await vi.waitFor(() => expect(heard).toEqual(["queue"]));
  });
});

describe("operations that nothing waits for", () => {
  it("S13 join the next batch, or form one of their own after a moment", async () => {
    const batches: (readonly string[])[] = [];
    const together = new Batcher<string, void>(
      async (items) => {
        batches.push(items);
        return items.map(() => undefined);
      },
      { isPatient: (item) => item.startsWith("outcome") },
    );
    const first = together.add("outcome 1");
    await Promise.all([together.add("decision 1"), first]);
    await together.add("outcome 2");
    const last = together.add("outcome 3");
    await together.idle();
    await last;
    expect(batches).toEqual([["decision 1", "outcome 1"], ["outcome 2"], ["outcome 3"]]);
  });
});

const PLACE = { tenant: "acme", workspace: "ws" };
const CALL = { ...PLACE, tool: "t", args: {}, principal: "p", session: "s" };
const ENTRY = {
  at: "2026-01-01T00:00:00.000Z",
  callId: "c",
  tool: "t",
  role: "r",
  args: {},
  changes: [],
  paths: [],
  effect: "allow",
  because: "a rule",
  verdict: "allow",
  decider: { how: "rule" },
} as const;

function ref(callId: string, epoch: number) {
  return { tenant: "acme", callId, worker: "w1", epoch };
}

import { existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { ToolError } from "@haft/core";
import { memorySharedStore, type SharedStore } from "@haft/core/calls";
import { describe, expect, it } from "vitest";
import { ServedWorkspaces, until } from "./fixtures/served-workspaces.js";

const AWAY = new ToolError("STORE_UNAVAILABLE", "The database did not answer", {
  details: { retryAfterMs: 1_000 },
});

/** A store that is away for some starts of calls: before it stores them, or before it answers. */
function unreliableStore(outages: ("before" | "after")[]) {
  const memory = memorySharedStore();
  const tries: string[] = [];
  const started: SharedStore["calls"]["started"] = async (call) => {
    const outage = outages.shift();
    tries.push(outage ?? "answered");
    if (outage === "before") throw AWAY;
    const answer = await memory.calls.started(call);
    if (outage === "after") throw AWAY;
    return answer;
  };
  return { store: { ...memory, calls: { ...memory.calls, started } }, tries };
}

describe("a store that is away when a call starts", () => {
  it("S2 S4 the call waits for the store, also if its start was stored, and has its effect once", async () => {
    const { store, tries } = unreliableStore(["before", "before", "after"]);
    const errors: unknown[] = [];
    await using served = await ServedWorkspaces.open({}, { store, onError: (error) => errors.push(error) });
    const runtime = await served.connect();
    const log = `${served.root}/log`;
    expect(await runtime.call("appends", { log, line: "x" }, { callId: "c1" })).toMatchObject({ ok: true });
    expect(tries).toEqual(["before", "before", "after", "answered"]);
    expect(errors).toEqual([AWAY, AWAY, AWAY]);
    expect(readFileSync(log, "utf8")).toBe("x\n");
    expect(await store.calls.find({ tenant: "acme", callIds: ["c1"] })).toMatchObject([{ attempt: 1 }]);
  });

  it.each([
    ["before", 0, 50],
    ["after", 50, 0],
  ])(
    "S13 the call waits for the store that could not record its decision, %s its start",
    async (_when, recordMs, startMs) => {
      const memory = memorySharedStore();
      let outages = 2;
      const store: SharedStore = {
        ...memory,
        audit: (tenant) => {
          const audit = memory.audit(tenant);
          const append: typeof audit.append = async (entry) => {
            if (entry.outcome !== undefined || outages === 0) return audit.append(entry);
            outages -= 1;
            await sleep(recordMs);
            throw AWAY;
          };
          return { ...audit, append };
        },
        calls: {
          ...memory.calls,
          started: async (call) => {
            await sleep(startMs);
            return memory.calls.started(call);
          },
        },
      };
      await using served = await ServedWorkspaces.open({}, { store });
      const runtime = await served.connect();
      const log = `${served.root}/log`;
      expect(await runtime.call("appends", { log, line: "x" })).toMatchObject({ ok: true });
      expect(outages).toBe(0);
      expect(readFileSync(log, "utf8")).toBe("x\n");
    },
  );

  it.each(["start", "decision"])("S2 a call ends if the store refuses to record its %s", async (record) => {
    const refused = new ToolError("STORE_UNAVAILABLE", "The database refused a statement (too long)");
    const memory = memorySharedStore();
    const store: SharedStore = {
      ...memory,
      audit: (tenant) => {
        const audit = memory.audit(tenant);
        const isRefused = record === "decision";
        return { ...audit, append: (entry) => (isRefused ? Promise.reject(refused) : audit.append(entry)) };
      },
      calls: {
        ...memory.calls,
        started: (call) => (record === "start" ? Promise.reject(refused) : memory.calls.started(call)),
      },
    };
    await using served = await ServedWorkspaces.open({}, { store });
    const runtime = await served.connect();
    const log = `${served.root}/log`;
    const result = await runtime.call("appends", { log, line: "x" });
    expect(result).toMatchObject({ ok: false, error: { code: "STORE_UNAVAILABLE" } });
    expect(existsSync(log)).toBe(false);
  });

  it("S9 a call that waits for the store can be cancelled, without an effect", async () => {
    const { store, tries } = unreliableStore(Array.from({ length: 1_000 }, () => "before"));
    await using served = await ServedWorkspaces.open({}, { store });
    const runtime = await served.connect();
    const log = `${served.root}/log`;
    const call = runtime.call("appends", { log, line: "x" }, { callId: "c1" });
    await until(() => tries.length > 1);
    await store.calls.cancel({ tenant: "acme", callId: "c1", by: "ann" });
    expect(await call).toMatchObject({ error: { code: "CANCELLED" } });
    expect(existsSync(log)).toBe(false);
  });
});

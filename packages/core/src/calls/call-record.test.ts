import { expect, it } from "vitest";
import { resultOf } from "./call-record.js";
import { CallTable } from "./call-table.js";

const WS = { tenant: "acme", workspace: "ws" };
const CALL = { ...WS, callId: "c1", tool: "write_file", principal: "bot", session: "s1" };
const TTL_MS = 1_000;

/** Starts a repeatable call and loses its worker, several times. */
function lostTimes(table: CallTable, times: number): void {
  for (let nth = 0; nth < times; nth += 1) {
    const nowMs = nth * 10 * TTL_MS;
    const worker = `w${nth}`;
    table.lease({ worker, workspaces: [WS], ttlMs: TTL_MS }, nowMs);
    const [claimed] = table.claim({ worker, limit: 1 });
    const { epoch = 0 } = claimed ?? {};
    table.started({ tenant: "acme", callId: "c1", worker, epoch, isRepeatable: true }, nowMs);
    table.release({ worker });
  }
}

it.each([
  ["lost three times", { code: "WORKER_LOST" }, () => {}],
  [
    "cancelled after a loss",
    { code: "CANCELLED" },
    (table: CallTable) => {
      table.cancel({ tenant: "acme", callId: "c1", by: "ann" }, 90_000);
    },
  ],
  [
    "overdue after a loss",
    { code: "WORKSPACE_UNAVAILABLE" },
    (table: CallTable) => {
      table.expire({ tenant: "acme", callId: "c1" }, 90_000);
    },
  ],
] as const)(
  "S2 S3 a call that may have had its effect does not claim that nothing was done: %s",
  (_, error, end) => {
    const table = new CallTable();
    table.submit({ ...CALL, maxQueuedMs: 60_000 }, 0);
    lostTimes(table, error.code === "WORKER_LOST" ? 3 : 1);
    table.lease({ worker: "last", workspaces: [WS], ttlMs: TTL_MS }, 50_000);
    end(table);
    const [call] = table.find({ tenant: "acme", callIds: ["c1"] });
    const result = resultOf(call as NonNullable<typeof call>);
    expect(result).toMatchObject({ ok: false, error });
    expect(result.text).toContain("may have had its effect");
    expect(result.text).not.toContain("Nothing was done");
  },
);

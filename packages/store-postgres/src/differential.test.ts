import { type CallStore, memoryCallStore } from "@haft/core/calls";
import fc from "fast-check";
import { expect, it } from "vitest";
import { describeUnless } from "../../../tooling/testing/describe-unless.js";
import { noPostgres } from "../../../tooling/testing/start-postgres.js";
import { testServer } from "./fixtures/open-schema.js";

describeUnless(noPostgres(), "FP5 PostgreSQL behaves like the call table", () => {
  const servers = testServer();

  it("for any sequence of operations, step by step", { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation(), { minLength: 5, maxLength: 40 }), async (operations) => {
        await using table = disposable(memoryCallStore());
        const store = await servers.open();
        try {
          for (const [name, input] of operations) {
            const expected = await outcome(table.value, name, input);
            expect(await outcome(store.calls, name, input), `${name} ${JSON.stringify(input)}`).toEqual(
              expected,
            );
          }
          const all = { tenant: "a", callIds: IDS };
          expect(await outcome(store.calls, "find", all)).toEqual(await outcome(table.value, "find", all));
        } finally {
          await store.close();
        }
      }),
      { numRuns: 25 },
    );
  });
});

type Step = readonly [name: keyof CallStore, input: object];

const IDS = ["c1", "c2", "c3", "c4", "json:x", "odd \ud800\0"];
const WORKERS = ["w1", "w2"];
// No lease expires within a run: expiry depends on the clock, and the contract covers it.
const TTL_MS = 600_000;

function operation(): fc.Arbitrary<Step> {
  const key = fc.record({ tenant: fc.constantFrom("a", "b"), workspace: fc.constantFrom("x", "y") });
  const tenant = fc.constantFrom("a", "b");
  const callId = fc.constantFrom(...IDS);
  const worker = fc.constantFrom(...WORKERS);
  const ref = fc.record({ tenant, callId, worker, epoch: fc.integer({ min: 1, max: 4 }) });
  const approvalId = fc.constantFrom("p1", "p2");
  const of = (name: keyof CallStore, input: fc.Arbitrary<object>) =>
    input.map((value): Step => [name, value]);
  return fc.oneof(
    {
      weight: 5,
      arbitrary: of(
        "submit",
        fc.tuple(key, callId, fc.nat(1)).map(([k, id, n]) => call(k, id, n)),
      ),
    },
    {
      weight: 4,
      arbitrary: of(
        "lease",
        fc.record({
          worker,
          workspaces: fc.uniqueArray(key, { selector: (k) => JSON.stringify(k) }),
          ttlMs: fc.constant(TTL_MS),
        }),
      ),
    },
    { weight: 2, arbitrary: of("release", fc.record({ worker })) },
    {
      weight: 5,
      arbitrary: of(
        "claim",
        fc.record(
          {
            worker,
            limit: fc.integer({ min: 1, max: 4 }),
            known: fc.uniqueArray(fc.record({ tenant, callId }), { selector: (k) => JSON.stringify(k) }),
          },
          { requiredKeys: ["worker", "limit"] },
        ),
      ),
    },
    {
      weight: 4,
      arbitrary: of(
        "started",
        fc.tuple(ref, fc.boolean()).map(([r, isRepeatable]) => ({ ...r, isRepeatable })),
      ),
    },
    {
      weight: 3,
      arbitrary: of(
        "awaitApproval",
        fc.tuple(ref, approvalId).map(([r, id]) => ({ ...r, approvalId: id })),
      ),
    },
    { weight: 2, arbitrary: of("resume", fc.record({ tenant, approvalId })) },
    {
      weight: 3,
      arbitrary: of(
        "settle",
        ref.map((r) => ({ ...r, settlement: { outcome: "ok", result: { n: 1 } } })),
      ),
    },
    { weight: 2, arbitrary: of("cancel", fc.record({ tenant, callId, by: fc.constant("ann") })) },
    { weight: 1, arbitrary: of("expire", fc.record({ tenant, callId })) },
    { weight: 1, arbitrary: of("limit", fc.record({ tenant, maxRunning: fc.nat(3), maxQueued: fc.nat(5) })) },
    { weight: 1, arbitrary: of("duties", fc.record({ worker })) },
    { weight: 1, arbitrary: of("workspace", key) },
    { weight: 1, arbitrary: of("list", fc.record({ tenant, limit: fc.integer({ min: 1, max: 4 }) })) },
    { weight: 1, arbitrary: of("overview", fc.record({ tenant }, { requiredKeys: [] })) },
  );
}

function call(key: object, callId: string, variant: number): object {
  return { ...key, callId, tool: "t", args: { variant }, principal: "p", session: "s" };
}

/** The result or error of an operation, without times. Lists without a defined order are sorted. */
async function outcome(store: CallStore, name: keyof CallStore, input: object): Promise<unknown> {
  try {
    const value: unknown = await (store[name] as (given: object) => Promise<unknown>)(input);
    return timeless(name === "list" || (name === "claim" && !("known" in input)) ? value : sorted(value));
  } catch (thrown) {
    return { rejected: (thrown as { code?: string }).code };
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value))
    return [...value].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, sorted(part)]));
}

function timeless(value: unknown): unknown {
  const text = JSON.stringify(value, (key, part) =>
    /^(?:(?:submitted|started|settled|expires)A|a)tMs$/.test(key) ? "time" : part,
  );
  return text === undefined ? undefined : JSON.parse(text);
}

function disposable<T>(value: T): { readonly value: T } & AsyncDisposable {
  return { value, [Symbol.asyncDispose]: async () => {} };
}

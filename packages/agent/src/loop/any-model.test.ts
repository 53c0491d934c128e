import { createTestRuntime, scriptedApprover } from "@haft/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countedTools } from "../../test-support/tools.js";
import { foldEvents, type ModelClient, type ModelDelta, ModelError, startRun } from "../index.js";

const args = fc.oneof(
  fc.constantFrom(
    '{"path":"a.txt"}',
    '{"path":"a.txt","terminate":true}',
    '{"path":"../x"}',
    '{"what":"x"}',
    '{"path":"b.txt","text":"t"}',
    "",
    "null",
    "[]",
    "{",
    '"{}"',
    '{"__proto__":{"x":1}}',
    "\ud800",
  ),
  fc.string(),
);
const delta: fc.Arbitrary<ModelDelta> = fc.oneof(
  { weight: 1, arbitrary: fc.record({ type: fc.constant("text" as const), delta: fc.string() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant("call" as const),
      index: fc.integer({ min: -1, max: 3 }),
      id: fc.constantFrom("a", "b", "", undefined),
      name: fc.constantFrom("look", "put", "act", "nothing", "", undefined),
      args,
    }),
  },
);
const finish = fc.constantFrom(
  "stop",
  "tool_calls",
  "length",
  "content_filter",
  "cut",
  "throw",
  "odd" as const,
);
const turns = fc.array(fc.tuple(fc.array(delta, { maxLength: 6 }), finish), { minLength: 1, maxLength: 12 });

type Turns = readonly (readonly [readonly ModelDelta[], string])[];

function modelOf(
  given: Turns,
  seen: { readonly messages: readonly { readonly role: string }[] }[],
): ModelClient {
  return {
    stream: async function* (request) {
      const [deltas, end] = given[seen.length % given.length] ?? [[], "stop"];
      seen.push(request);
      yield* deltas;
      if (end === "throw") throw new ModelError("MODEL_FAILED", "thrown", { retryable: true });
      if (end === "odd") throw "something odd";
      if (end !== "cut") yield { type: "finish", reason: end as "stop" };
    },
  };
}

describe("any stream of a model", () => {
  it("the run ends with a reason, every call has one result, and the log alone reproduces the state", async () => {
    const property = fc.asyncProperty(turns, fc.boolean(), async (given, isApproved) => {
      const { tools } = countedTools();
      const files = { "a.txt": "alpha", "b.txt": "beta" };
      const runtime = createTestRuntime({ tools, files, approver: scriptedApprover(isApproved) });
      const seen: { readonly messages: readonly { readonly role: string }[] }[] = [];
      const model = modelOf(given, seen);
      const run = startRun({ runtime, model, task: "Go.", limits: { maxSteps: 8 }, retryDelayMs: 0 });
      const { reason } = await run.done;
      expect([
        "end_turn",
        "terminated",
        "max_steps",
        "loop",
        "invalid_args",
        "output_limit",
        "error",
      ]).toContain(reason);
      expect(seen.length).toBeLessThanOrEqual(3 * 9);
      const proposed = run.log.flatMap((event) => (event.type === "step.ended" ? event.calls : []));
      const settled = run.log.flatMap((event) => (event.type === "call.settled" ? [event.callId] : []));
      expect([...settled].sort()).toEqual(proposed.map(({ callId }) => callId).sort());
      expect(foldEvents(JSON.parse(JSON.stringify(run.log)))).toEqual(run.state);
      for (const { messages } of seen) expect(unanswered(messages as never)).toEqual([]);
      await runtime.dispose();
    });
    await fc.assert(property, { numRuns: 60 });
  });
});

function unanswered(
  messages: readonly {
    readonly role: string;
    readonly callId?: string;
    readonly calls?: readonly { id: string }[];
  }[],
): readonly string[] {
  const problems: string[] = [];
  let open: string[] = [];
  for (const { role, callId, calls = [] } of messages) {
    if (role === "tool" && open.shift() !== callId) problems.push(`${callId} out of order`);
    if (role === "tool") continue;
    problems.push(...open);
    open = calls.map(({ id }) => id);
  }
  return [...problems, ...open];
}

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyLog, logOf } from "../../test-support/any-log.js";
import { type DurableEvent, decide, evolve, foldEvents, INITIAL_STATE, toMessages } from "../index.js";

describe("laws of evolve and decide, for any behaviour of models, people, crashes and clocks", () => {
  it("hold for logs that reach every kind of event, every state and every ending", () => {
    const logs = fc.sample(anyLog, { numRuns: 1_000, seed: 7 }).map(logOf);
    const events = new Set(logs.flatMap(({ log }) => log.map(({ type }) => type)));
    expect([...events].sort()).toEqual([
      "approval.decided",
      "approval.requested",
      "call.settled",
      "call.started",
      "compaction.requested",
      "context.compacted",
      "message.user",
      "run.cancelled",
      "run.ended",
      "run.reopened",
      "run.resumed",
      "run.started",
      "step.ended",
      "step.failed",
    ]);
    const statuses = new Set(logs.map(({ state }) => state.status));
    expect([...statuses].sort()).toEqual(["acting", "done", "idle", "thinking", "waiting"]);
    const ends = new Set(logs.flatMap(({ state }) => state.ended?.reason ?? []));
    for (const end of ["end_turn", "cancelled", "error", "max_steps", "invalid_args", "terminated"] as const)
      expect(ends).toContain(end);
  });

  it("replaying a prefix and then the rest equals replaying the whole", () => {
    fc.assert(
      fc.property(anyLog, fc.nat(), (script, cut) => {
        const { log, state } = logOf(script);
        const at = cut % (log.length + 1);
        expect(foldEvents(log.slice(at), foldEvents(log.slice(0, at)))).toEqual(state);
        expect(foldEvents(JSON.parse(JSON.stringify(log)) as DurableEvent[])).toEqual(state);
      }),
    );
  });

  it("decide returns no commands only in idle, waiting and done", () => {
    fc.assert(
      fc.property(anyLog, (script) => {
        const { log } = logOf(script);
        let state = INITIAL_STATE;
        for (const event of log) {
          state = evolve(state, event);
          const isEmpty = decide(state).length === 0;
          const mayBeEmpty = state.status === "idle" || state.status === "waiting" || state.status === "done";
          expect(isEmpty && !mayBeEmpty).toBe(false);
        }
      }),
    );
  });

  it("no call is settled twice, and none is open when the model is asked or the run is over", () => {
    fc.assert(
      fc.property(anyLog, (script) => {
        const { log } = logOf(script);
        const settled = log.flatMap((event) => (event.type === "call.settled" ? [event.callId] : []));
        expect(new Set(settled).size).toBe(settled.length);
        let state = INITIAL_STATE;
        for (const event of log) {
          state = evolve(state, event);
          if (state.status !== "thinking" && state.status !== "done") continue;
          expect(state.calls.filter(({ status }) => status !== "settled")).toEqual([]);
        }
      }),
    );
  });

  it("a second settlement, and any event after the end, changes nothing", () => {
    fc.assert(
      fc.property(anyLog, (script) => {
        const { log, state } = logOf(script);
        const settled = log.find((event) => event.type === "call.settled");
        const last = log.at(-1);
        if (settled?.type !== "call.settled" || last === undefined) return;
        const again = { ...settled, seq: last.seq + 1, at: last.at, outcome: "unknown" as const };
        const { lastSeq: _, ...after } = evolve(state, again);
        const { lastSeq: __, ...before } = state;
        expect(after).toEqual(before);
      }),
    );
  });

  it("every call of the model has exactly one result, in its order, before the model is asked again", () => {
    fc.assert(
      fc.property(anyLog, (script) => {
        const { log } = logOf(script);
        for (const [index, event] of log.entries()) {
          if (foldEvents(log.slice(0, index + 1)).status !== "thinking") continue;
          const messages = toMessages(log.slice(0, index + 1));
          let open: string[] = [];
          for (const message of messages) {
            if (message.role === "tool") expect(message.callId).toBe(open.shift());
            else expect(open).toEqual([]);
            if (message.role === "tool")
              expect(message.content).not.toEqual([{ type: "text", text: "[no result]" }]);
            if (message.role === "assistant") open = message.calls.map(({ id }) => id);
          }
          expect(event.seq).toBe(index + 1);
        }
      }),
      { numRuns: 50 },
    );
  });

  it("S14 time counts only while the run is active, not between its processes", () => {
    fc.assert(
      fc.property(anyLog, (script) => {
        const { log, state } = logOf(script);
        let expected = 0;
        let before = INITIAL_STATE;
        for (const event of log) {
          const isAtWork = before.status === "thinking" || before.status === "acting";
          if (isAtWork && event.type !== "run.resumed")
            expected += Date.parse(event.at) - Date.parse(before.lastAt);
          if (event.type === "run.reopened") expected = 0;
          before = evolve(before, event);
        }
        expect(state.activeMs).toBe(expected);
      }),
    );
  });
});

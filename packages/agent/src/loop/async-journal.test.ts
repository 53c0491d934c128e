import { setTimeout as delay } from "node:timers/promises";
import { defineTool, s } from "@haft/core";
import { createTestRuntime } from "@haft/testing";
import { describe, expect, it } from "vitest";
import type { DurableEvent, RunEvent } from "../event/run-event.js";
import type { RunJournal } from "../journal/run-journal.js";
import type { ModelClient } from "../model/model-client.js";
import { startRun } from "./start-run.js";

/** Stores every event after a delay, like a database. */
function slowJournal(options: { readonly failAt?: string } = {}) {
  const kept: DurableEvent[] = [];
  let last: Promise<void> = Promise.resolve();
  const journal: RunJournal = {
    runId: "slow",
    events: [],
    append: (event) => {
      last = last.then(async () => {
        await delay(5);
        if (event.type === options.failAt) throw new Error("the database is gone");
        kept.push(event);
      });
      return last;
    },
    close: () => last.catch(() => {}),
  };
  return { journal, kept };
}

/** Calls one tool, then ends. */
function twoTurns(): ModelClient {
  let turn = 0;
  return {
    async *stream() {
      turn += 1;
      if (turn === 1) yield { type: "call", index: 0, id: "c", name: "act", args: "{}" };
      else yield { type: "text", delta: "done" };
      yield { type: "finish", reason: turn === 1 ? "tool_calls" : "stop" };
    },
  } as unknown as ModelClient;
}

function runtimeWith(act: () => void) {
  const Act = defineTool({
    name: "act",
    summary: "Acts.",
    category: "execute",
    permissions: ["ExecuteCommands"],
    input: s.object({}),
    output: s.object({}),
    approval: "auto",
    run: async () => {
      act();
      return {};
    },
  });
  return createTestRuntime({ tools: [Act] });
}

describe("FP5 a run with a slow journal", () => {
  it("FP5 S5 stores an event before listeners receive it, and a start before the first effect", async () => {
    const { journal, kept } = slowJournal();
    let keptAtEffect: readonly string[] = [];
    const runtime = runtimeWith(() => {
      keptAtEffect = kept.map(({ type }) => type);
    });
    const early: RunEvent[] = [];
    const onEvent = (event: RunEvent) => {
      const isDurable =
        "seq" in event && kept.some(({ seq, type }) => seq === event.seq && type === event.type);
      const isEphemeral = /delta|progress|step.started/.test(event.type);
      if (!isDurable && !isEphemeral) early.push(event);
    };
    const outcome = await startRun({ runtime, model: twoTurns(), task: "Go.", journal, onEvent }).done;
    expect(outcome).toMatchObject({ reason: "end_turn", summary: "done" });
    expect(keptAtEffect).toContain("call.started");
    expect(early).toEqual([]);
    expect(kept.map(({ seq }) => seq)).toEqual(kept.map((_, index) => index + 1));
    expect(kept.at(-1)).toMatchObject({ type: "run.ended" });
  });

  it.each(["call.started", "step.ended"])("FP5 does not do what it cannot store: %s", async (failAt) => {
    const { journal, kept } = slowJournal({ failAt });
    let effects = 0;
    const runtime = runtimeWith(() => {
      effects += 1;
    });
    const outcome = await startRun({ runtime, model: twoTurns(), task: "Go.", journal }).done;
    expect(outcome).toMatchObject({
      reason: "error",
      error: { code: "JOURNAL_FAILED", hint: expect.stringContaining("then continue it") },
    });
    expect(effects).toBe(0);
    expect(kept.map(({ type }) => type)).not.toContain(failAt);
  });
});

import { createTestRuntime } from "@haft/testing";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type ModelClient, ModelError, type RunEvent, startRun } from "../index.js";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const BURST_MS = 60_000;

/** A model whose server answers 503 for a minute of the run's fake clock. */
function failingFor(ms: number, retryAfterMs?: number): ModelClient & { readonly attemptsAtMs: number[] } {
  const startedAtMs = Date.now();
  const attemptsAtMs: number[] = [];
  return {
    attemptsAtMs,
    async *stream() {
      attemptsAtMs.push(Date.now() - startedAtMs);
      if (Date.now() - startedAtMs < ms)
        throw new ModelError("MODEL_FAILED", "503 Service Unavailable", {
          retryable: true,
          ...(retryAfterMs !== undefined && { retryAfterMs }),
        });
      yield { type: "text", delta: "Back again." };
      yield { type: "finish", reason: "stop" };
    },
  } as ModelClient & { readonly attemptsAtMs: number[] };
}

async function runThrough(model: ModelClient, retryMs: number) {
  const events: RunEvent[] = [];
  const run = startRun({
    runtime: createTestRuntime({ tools: [] }),
    model,
    task: "go on",
    limits: { retryMs },
    onEvent: (event) => events.push(event),
  });
  await vi.advanceTimersByTimeAsync(3 * BURST_MS);
  return { events, outcome: await run.done };
}

describe("FU2 a server that fails for 60 s", () => {
  it.each([
    ["without advice", undefined],
    ["with Retry-After", 7_000],
  ])("is retried until it answers, %s, and every wait is reported", async (_what, retryAfterMs) => {
    const model = failingFor(BURST_MS, retryAfterMs);
    const { outcome, events } = await runThrough(model, 10 * BURST_MS);
    expect(outcome).toMatchObject({ reason: "end_turn", summary: "Back again." });
    expect(model.attemptsAtMs.at(-1)).toBeGreaterThanOrEqual(BURST_MS);
    const waits = events.filter((event) => event.type === "retry.waiting");
    expect(waits).toHaveLength(model.attemptsAtMs.length - 1);
    expect(model.attemptsAtMs.length).toBeLessThan(20);
    const gaps = model.attemptsAtMs.slice(1).map((at, index) => at - (model.attemptsAtMs[index] ?? 0));
    if (retryAfterMs !== undefined) expect(new Set(gaps)).toEqual(new Set([retryAfterMs]));
  });

  it("is not tried again once the run was cancelled while it waited", async () => {
    const model = failingFor(BURST_MS, 30_000);
    const events: RunEvent[] = [];
    const run = startRun({
      runtime: createTestRuntime({ tools: [] }),
      model,
      task: "go on",
      onEvent: (event) => events.push(event),
    });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(events.at(-1)).toMatchObject({ type: "retry.waiting" });
    run.cancel("enough");
    await vi.advanceTimersByTimeAsync(BURST_MS);
    expect(await run.done).toMatchObject({ reason: "cancelled" });
    expect(events.filter(({ type }) => type === "step.started")).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ type: "run.ended" });
    expect(model.attemptsAtMs).toHaveLength(1);
  });

  it("ends the run when the retry time is shorter, and reports that", async () => {
    const { outcome } = await runThrough(failingFor(BURST_MS), BURST_MS / 4);
    expect(outcome).toMatchObject({ reason: "error", error: { code: "MODEL_FAILED" } });
  });
});

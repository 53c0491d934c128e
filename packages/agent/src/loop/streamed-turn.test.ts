import { createTestRuntime } from "@haft/testing";
import { expect, it } from "vitest";
import { type ModelClient, startRun } from "../index.js";

const MOST_DELTAS = 500_000;

it("FU5 a model that writes without a pause does not stop timers, frames and keys", async () => {
  let hasFired = false;
  let deltas = 0;
  const model: ModelClient = {
    stream: async function* () {
      setTimeout(() => (hasFired = true), 1);
      for (; !hasFired && deltas < MOST_DELTAS; deltas += 1) yield { type: "text", delta: "." };
      yield { type: "finish", reason: "stop" };
    },
  };
  const run = startRun({ runtime: createTestRuntime({ tools: [] }), model, task: "Go." });
  expect(await run.done).toMatchObject({ reason: "end_turn" });
  expect(hasFired).toBe(true);
  expect(deltas).toBeLessThan(MOST_DELTAS);
});

import { describe, expect, it } from "vitest";
import type { CallRecord } from "./call-record.js";
import { SimulatedWorker } from "./simulated-worker.fixture.js";
import { SimulatedWorld } from "./simulated-world.fixture.js";

/** Seeds that failed once. */
const SEEDS = [1, 2, 3];
const AGENTS = 10_000;
const WORKERS = 100;
const WORKSPACES = 200;
/** Low enough that it is reached. */
const MAX_RUNNING = 30;
const TROUBLE_MS = 180_000;

describe("10,000 agents and 100 workers on a virtual clock", () => {
  it.each(SEEDS)(
    "S1 S2 S4 S11 every call settles once and no effect is doubled (seed %i)",
    { timeout: 120_000 },
    (seed) => {
      const world = new SimulatedWorld(seed, MAX_RUNNING);
      for (let tenant = 0; tenant < 4; tenant += 1)
        world.apply("limit", { tenant: `t${tenant}`, maxRunning: MAX_RUNNING, maxQueued: 100_000 });
      const workers = startWorkers(world);
      planTrouble(world, workers);
      const calls = planCalls(world);
      while (
        world.violations.length === 0 &&
        world.settledCalls < AGENTS &&
        world.clock.nowMs < 3_600_000 &&
        world.clock.step()
      );
      expect(world.violations).toEqual([]);
      expect(world.settledCalls).toBe(AGENTS);
      const outcomes = calls.map(({ tenant, callId }) => {
        const [call] = world.apply<readonly CallRecord[]>("find", { tenant, callIds: [callId] });
        const isExpired = call?.settlement?.code === "WORKSPACE_UNAVAILABLE" && call.attempt === 1;
        return { callId, outcome: call?.settlement?.outcome, isExpired };
      });
      expect(outcomes.some(({ isExpired }) => isExpired)).toBe(true);
      // No outcome is reported that did not happen.
      for (const { callId, outcome, isExpired } of outcomes) {
        if (outcome === "ok") expect(world.effectsOf(callId)).toBeGreaterThan(0);
        if (isExpired) expect(world.effectsOf(callId)).toBe(0);
      }
      const kinds = new Set(outcomes.map(({ outcome }) => outcome));
      expect([...kinds].sort()).toEqual(["cancelled", "error", "ok", "unknown"]);
    },
  );
});

/** Every workspace can be served by three workers, which share a volume. */
function startWorkers(world: SimulatedWorld): readonly SimulatedWorker[] {
  return Array.from({ length: WORKERS }, (_, index) => {
    const keys = Array.from({ length: WORKSPACES }, (_unused, place) => place)
      .filter((place) => [0, 1, 2].some((near) => (place + near * 37) % WORKERS === index))
      .map(keyOf);
    const worker = new SimulatedWorker(world, `w${index}`, keys);
    world.clock.after(world.between(0, 3_000), () => worker.start());
    return worker;
  });
}

function planTrouble(world: SimulatedWorld, workers: readonly SimulatedWorker[]): void {
  const { clock } = world;
  const one = () => workers[world.between(0, WORKERS)] as SimulatedWorker;
  for (let n = 0; n < 150; n += 1) {
    clock.after(world.between(5_000, TROUBLE_MS), () => {
      const victim = one();
      victim.kill();
      clock.after(world.between(100, 40_000), () => victim.start());
    });
    clock.after(world.between(5_000, TROUBLE_MS), () => one().cutOff(world.between(1_000, 60_000)));
  }
  for (let n = 0; n < 6; n += 1)
    clock.after(world.between(0, TROUBLE_MS), () => world.slowDown(world.between(2_000, 20_000)));
}

function planCalls(world: SimulatedWorld): readonly { tenant: string; callId: string }[] {
  return Array.from({ length: AGENTS }, (_, index) => {
    const call = {
      ...keyOf(world.between(0, WORKSPACES)),
      callId: `c${index}`,
      tool: "tool",
      args: { needsApproval: world.random() < 0.2, isRepeatable: world.random() < 0.3 },
      principal: "agent",
      session: `s${index}`,
      ...(world.random() < 0.1 && { maxQueuedMs: world.between(100, 20_000) }),
    };
    const times = world.random() < 0.1 ? 2 : 1;
    const atMs = world.between(0, TROUBLE_MS);
    for (let n = 0; n < times; n += 1) world.clock.after(atMs + n * 700, () => world.operate("submit", call));
    if (world.random() < 0.02)
      world.clock.after(atMs + world.between(0, 30_000), () =>
        world.operate("cancel", { ...call, by: "ann" }),
      );
    if ("maxQueuedMs" in call)
      world.clock.after(atMs + call.maxQueuedMs + 100, () => world.operate("expire", call));
    follow(world, call, atMs + 1_500);
    return call;
  });
}

/** An agent that polls for its result. */
function follow(
  world: SimulatedWorld,
  { tenant, callId }: { tenant: string; callId: string },
  delayMs: number,
): void {
  world.clock.after(delayMs, () => {
    const [call] = world.apply<readonly CallRecord[]>("find", { tenant, callIds: [callId] });
    if (call?.settlement !== undefined) world.noteSettlement(callId, call.settlement);
    // Checked again afterwards: a settlement never changes.
    if (call?.settlement === undefined || world.random() < 0.2)
      follow(world, { tenant, callId }, world.between(1_000, 5_000));
  });
}

function keyOf(place: number): { tenant: string; workspace: string } {
  return { tenant: `t${place % 4}`, workspace: `ws${place}` };
}

import { describe, expect, it } from "vitest";
import { SimulatedWorker } from "./simulated-worker.fixture.js";
import { SimulatedWorld } from "./simulated-world.fixture.js";

const ROUNDS = 100;
const ROUND_MS = 100_000;
const KEYS = [0, 1, 2].map((place) => ({ tenant: "acme", workspace: `ws${place}` }));
const CALLS = 12;

describe("a worker that loses its workspaces and takes them again", () => {
  // Its late reports differ from those that it may make in the epoch alone.
  it.each([1, 2, 3])("S1 S2 what it reports about its former claims is refused (seed %i)", (seed) => {
    const world = new SimulatedWorld(seed, 64);
    const returning = new SimulatedWorker(world, "returning", KEYS);
    const between = new SimulatedWorker(world, "between", KEYS);
    // Its heartbeats show that the store was reachable all the time.
    const bystander = new SimulatedWorker(world, "bystander", [{ tenant: "acme", workspace: "other" }]);
    returning.start();
    bystander.start();
    for (let round = 1; round <= ROUNDS; round += 1)
      world.clock.after(round * ROUND_MS, () => loseAndTakeAgain({ world, round, returning, between }));
    while (
      world.violations.length === 0 &&
      world.clock.nowMs < (ROUNDS + 2) * ROUND_MS &&
      world.clock.step()
    );
    expect(world.violations).toEqual([]);
    const { epoch } = world.apply<{ epoch: number }>("workspace", KEYS[0] as object);
    expect(epoch).toBeGreaterThan(ROUNDS / 2);
  });
});

interface Round {
  readonly world: SimulatedWorld;
  readonly round: number;
  readonly returning: SimulatedWorker;
  readonly between: SimulatedWorker;
}

/** Cuts a worker off while it executes calls. Another one takes over, dies soon afterwards, and the first is back. */
function loseAndTakeAgain({ world, round, returning, between }: Round): void {
  const { clock } = world;
  for (let nth = 0; nth < CALLS; nth += 1)
    clock.after(world.between(0, 3_000), () =>
      world.operate("submit", {
        ...KEYS[nth % KEYS.length],
        callId: `c${round}-${nth}`,
        tool: "tool",
        args: { needsApproval: world.random() < 0.2, isRepeatable: true },
        principal: "agent",
        session: "s",
      }),
    );
  between.start();
  clock.after(3_500, () => returning.cutOff(world.between(30_000, 45_000)));
  clock.after(world.between(14_000, 23_000), () => between.kill());
}

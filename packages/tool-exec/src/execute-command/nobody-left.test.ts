import { existsSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { liveProcesses } from "../../../../tooling/testing/live-processes.js";
import { type ExecWorld, openExecWorld } from "../exec.fixture.js";
import { RunCode } from "../run-code/run-code-tool.js";
import { ExecuteCommand } from "./execute-command-tool.js";

// The number of rounds; HAFT_KILL_ROUNDS=200 is the full number.
const ROUNDS = Number(process.env.HAFT_KILL_ROUNDS ?? 2);
/** The time in each round for processes to end. */
const DEADLINE_MS = 3_000;
/** Processes that ignore signals, leave the group, and are orphaned. */
const TREE = `#!/bin/bash
trap "" TERM INT HUP
sleep "$1" & (sleep "$1" &) ; setsid sleep "$1" & bash -c 'trap "" TERM; sleep "$1"' x "$1" & wait
`;
let world: ExecWorld;

beforeEach(async () => {
  const approver = async () => ({ approved: true });
  const options = {
    tools: [ExecuteCommand, RunCode],
    approver,
    commands: { onUnlisted: "ask" },
  } as const;
  world = await openExecWorld({}, options);
  world.write("tree.sh", TREE, 0o755);
});
afterEach(() => world[Symbol.asyncDispose]());

/** Measures how long until no process of a round is alive, according to /proc. */
async function goneAfterMs(marker: string): Promise<number> {
  const startedAt = performance.now();
  while (liveProcesses(marker).length > 0 && performance.now() - startedAt < DEADLINE_MS + 500)
    await delay(100);
  return performance.now() - startedAt;
}

const KINDS = {
  execute_command: (marker: string, timeout: number) => ({ command: ["./tree.sh", marker], timeout }),
  run_code: (marker: string, timeout: number) => ({
    language: "bash",
    code: './tree.sh "$1"',
    args: [marker],
    timeout,
  }),
} as const;

describe.skipIf(!existsSync("/usr/bin/bwrap")).each(Object.entries(KINDS))(
  "%s leaves nobody",
  { timeout: 20_000 + ROUNDS * 8_000 },
  (tool, argsOf) => {
    it(`S4.003.d after its time limit, ${ROUNDS} times in a row`, async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const marker = `7${process.pid % 1000}.${tool.length}1${round}`;
        const result = await world.call(tool, argsOf(marker, 0.5));
        expect(result).toMatchObject({ ok: false, error: { code: "TIMEOUT" } });
        expect(await goneAfterMs(marker), `round ${round}`).toBeLessThan(DEADLINE_MS);
      }
    });

    it(`S4.003.d after a cancellation, ${ROUNDS} times in a row`, async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const marker = `7${process.pid % 1000}.${tool.length}2${round}`;
        const cancelling = new AbortController();
        const call = world.call(tool, argsOf(marker, 60), { signal: cancelling.signal });
        while (liveProcesses(marker).length < 4) await delay(50);
        cancelling.abort();
        expect(await call).toMatchObject({ ok: false, error: { code: "CANCELLED" } });
        expect(await goneAfterMs(marker), `round ${round}`).toBeLessThan(DEADLINE_MS);
      }
    });
  },
);

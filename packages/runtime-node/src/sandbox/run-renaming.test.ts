import type { SandboxOutcome } from "@haft/core/capabilities";
import { expect, it } from "vitest";
import type { RunContext } from "./box-context.js";
import { runRenaming } from "./run-renaming.js";

const empty = { text: "", truncated: false, totalBytes: 0 } as unknown as SandboxOutcome["stdout"];
const failed: SandboxOutcome = {
  stdout: empty,
  stderr: { ...empty, text: "Error: EXDEV: cross-device link not permitted, rename 'a' -> 'b'" },
  exitCode: 1,
  durationMs: 1,
  timedOut: false,
  changes: [],
  conflicts: [],
  warnings: [],
};

async function runsOf(outcome: Partial<SandboxOutcome>, signal = new AbortController().signal) {
  let runs = 0;
  const none = { entries: 0, bytes: 0 };
  const context = { signal, scan: { open: none, openIgnored: none } } as unknown as RunContext;
  const result = await runRenaming({ argv: ["node", "move.js"] }, context, async () => {
    runs += 1;
    return runs === 1 ? { ...failed, ...outcome } : { ...failed, stderr: empty, exitCode: 0 };
  });
  return [runs, result.exitCode];
}

it("FE20 repeats a command that failed to rename a folder", async () => {
  expect(await runsOf({})).toEqual([2, 0]);
});

it.each([
  ["its time limit", { exitCode: 137, limitHit: "time", timedOut: true }],
  ["another limit", { exitCode: 1, limitHit: "memory" }],
  ["a signal", { exitCode: 143 }],
] as const)("FE20 does not repeat a command that was ended by %s", async (_title, outcome) => {
  expect(await runsOf(outcome)).toEqual([1, outcome.exitCode]);
});

it("FE20 does not repeat a command that was cancelled", async () => {
  expect(await runsOf({}, AbortSignal.abort())).toEqual([1, 1]);
});

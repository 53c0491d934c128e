import { type ChildProcess, fork } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ToolError } from "@haft/core";
import { OverlayWorkspace } from "@haft/core/workspace";
import { afterEach, describe, expect, it } from "vitest";
import { bundle } from "../../test-support/bundle.mjs";
import { type TemporaryWorkspace, temporaryWorkspace } from "../../test-support/temporary-workspace.js";

const SUPPORT = new URL("../../test-support/", import.meta.url).pathname;
// HAFT_RACE_ROUNDS=5000 for the full proof.
const READ_ROUNDS = Number(process.env.HAFT_RACE_ROUNDS ?? 300);
const WRITE_ROUNDS = Number(process.env.HAFT_RACE_ROUNDS ?? 60);

let temp: TemporaryWorkspace | undefined;
let swapper: ChildProcess | undefined;
afterEach(async () => {
  await stopSwapping();
  temp?.dispose();
  temp = undefined;
});

async function stopSwapping(): Promise<void> {
  const running = swapper;
  swapper = undefined;
  if (running === undefined || running.exitCode !== null) return;
  const gone = new Promise((resolve) => running.once("exit", resolve));
  running.kill("SIGKILL");
  await gone;
}

/** A directory that another process keeps swapping for a link to the outside. */
async function attacked(maxPauseMs: number): Promise<TemporaryWorkspace> {
  const attackedWorkspace = await temporaryWorkspace({
    "dir/secret.txt": "inside",
    "dir/sub/x.txt": "inside",
  });
  temp = attackedWorkspace;
  mkdirSync(join(attackedWorkspace.outside, "sub"));
  writeFileSync(join(attackedWorkspace.outside, "sub/x.txt"), "canary");
  swapper = fork(join(SUPPORT, "link-swapper.mjs"), [
    join(attackedWorkspace.root, "dir"),
    attackedWorkspace.outside,
    String(maxPauseMs),
  ]);
  await new Promise((resolve) => swapper?.once("message", resolve));
  return attackedWorkspace;
}

/** Counts answers and refusals of an operation; anything but a ToolError is a defect. */
async function hammer(
  rounds: number,
  operation: (round: number) => Promise<unknown>,
): Promise<{ done: number; refused: number }> {
  const tally = { done: 0, refused: 0 };
  for (let round = 0; round < rounds; round += 1) {
    try {
      await operation(round);
      tally.done += 1;
    } catch (thrown) {
      if (!ToolError.is(thrown)) throw thrown;
      tally.refused += 1;
    }
  }
  return tally;
}

describe("P1 while another program swaps a directory for a link to the outside", { timeout: 600_000 }, () => {
  it("reads, lists and walks never return content from outside", async () => {
    const { workspace } = await attacked(0);
    const seen: string[] = [];
    const tally = await hammer(READ_ROUNDS, async () => {
      seen.push(await workspace.readText("dir/secret.txt").catch(refusedAsText));
      seen.push(await workspace.readText("dir/sub/x.txt").catch(refusedAsText));
      seen.push(Buffer.from((await workspace.snapshot("dir/sub/x.txt"))?.bytes ?? []).toString());
      for (const entry of await workspace.list("dir")) seen.push(entry.name);
      for await (const entry of workspace.walk("dir")) seen.push(entry.path);
    });
    expect(tally.done + tally.refused).toBe(READ_ROUNDS);
    expect(seen.filter((text) => text.includes("canary"))).toEqual([]);
    expect(seen.filter((text) => text === "inside").length).toBeGreaterThan(0);
    expect(seen.filter((text) => text.startsWith("refused")).length).toBeGreaterThan(0);
  });

  it("writes, moves and deletes never affect files outside", async () => {
    const { workspace, outside, root } = await attacked(20);
    const tally = await hammer(WRITE_ROUNDS, async (round) => {
      const overlay = new OverlayWorkspace(workspace);
      await WRITES[round % WRITES.length]?.(overlay, round);
      await workspace.commit(overlay.changes, { callId: String(round), tool: "race" });
    });
    expect(swapper?.exitCode).toBeNull();
    await stopSwapping();
    expect(tally.done + tally.refused).toBe(WRITE_ROUNDS);
    expect(tally.refused).toBeGreaterThan(0);
    expect(tally.done).toBeGreaterThan(0);
    if (process.env.HAFT_RACE_ROUNDS !== undefined) console.log("writes under attack", tally);
    expect(readdirSync(outside).sort()).toEqual(["secret.txt", "sub"]);
    expect(readFileSync(join(outside, "secret.txt"), "utf8")).toBe("canary");
    expect(readFileSync(join(outside, "sub/x.txt"), "utf8")).toBe("canary");
    expect(readdirSync(root).filter((name) => name.startsWith("new-"))).toEqual([]);
  });
});

describe("P4 two processes on one file", { timeout: 120_000 }, () => {
  it("2 x 200 appends lose nothing", async () => {
    const fresh = await temporaryWorkspace({ "log.txt": "" });
    temp = fresh;
    const built = mkdtempSync(join(tmpdir(), "haft-built-"));
    const script = await bundle(join(SUPPORT, "appender.ts"), built);
    const append = (name: string) =>
      new Promise<{ mostAttempts: number }>((resolve, reject) => {
        const child = fork(script, [fresh.root, fresh.stateDirectory, name, "200"]);
        child.once("message", (message) => resolve(message as { mostAttempts: number }));
        child.once("exit", (code) => reject(new Error(`the appender ended with ${code}`)));
      });
    const attempts = await Promise.all([append("one"), append("two")]);
    const lines = readFileSync(join(fresh.root, "log.txt"), "utf8").trimEnd().split("\n");
    for (const name of ["one", "two"])
      expect(lines.filter((line) => line.startsWith(name))).toEqual(
        Array.from({ length: 200 }, (_, index) => `${name} ${index}`),
      );
    expect(lines).toHaveLength(400);
    // The kernel starts a call over up to 100 times.
    expect(Math.max(...attempts.map(({ mostAttempts }) => mostAttempts))).toBeLessThan(100);
    expect((await fresh.workspace.journal.list()).filter(({ state }) => state === "done")).toHaveLength(400);
    rmSync(built, { recursive: true });
  });
});

const WRITES: readonly ((overlay: OverlayWorkspace, round: number) => Promise<unknown>)[] = [
  (overlay, round) => overlay.writeText("dir/secret.txt", `mine ${round}`),
  (overlay, round) => overlay.createText(`dir/new-${round}.txt`, "mine"),
  (overlay, round) => overlay.createText(`dir/made-${round}/below.txt`, "mine"),
  (overlay, round) => overlay.move("dir/secret.txt", `dir/moved-${round}.txt`),
  (overlay, round) => overlay.createText("dir/secret.txt", `again ${round}`),
  (overlay) => overlay.remove("dir/sub", { recursive: true }),
];

function refusedAsText(thrown: unknown): string {
  if (!ToolError.is(thrown)) throw thrown;
  return `refused ${thrown.code}`;
}

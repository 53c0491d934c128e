import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bundle } from "../../test-support/bundle.mjs";
import { temporaryWorkspace } from "../../test-support/temporary-workspace.js";

// The full number (60 per disk) was run once; each run starts a process.
const KILLS = Number(process.env.HAFT_UNDO_KILLS ?? 6);
const SUPPORT = join(import.meta.dirname, "../../test-support");
const isOtherDisk = existsSync("/dev/shm") && statSync("/dev/shm").dev !== statSync(tmpdir()).dev;
const places = isOtherDisk ? [tmpdir(), "/dev/shm"] : [tmpdir()];

function killedUndoer(script: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...args], { stdio: ["ignore", "pipe", "inherit"] });
    child.stdout.once("data", () => setTimeout(() => child.kill("SIGKILL"), Math.random() * 60));
    child.once("error", reject);
    child.once("exit", (code, signal) =>
      signal === "SIGKILL" ? resolve() : reject(new Error(`ended by itself: ${code}`)),
    );
  });
}

describe("S3.DEL an undo that is killed", () => {
  it.each(places)(
    "leaves the old or the new state, and a journal that says which (state in %s)",
    async (place) => {
      const built = mkdtempSync(join(tmpdir(), "haft-undoer-"));
      const stateDirectory = mkdtempSync(join(place, "haft-state-"));
      const files = Object.fromEntries(
        Array.from({ length: 30 }, (_, index) => [`dir/${index % 5}/${index}`, "x"]),
      );
      const temp = await temporaryWorkspace(
        { ...files, other: "other", "log.txt": "old" },
        { stateDirectory },
      );
      symlinkSync("/usr/bin/env", join(temp.root, "dir/outside"));
      const tree = () =>
        execFileSync("find", [join(temp.root, "dir")], { encoding: "utf8" })
          .split("\n")
          .sort()
          .join();
      const whole = tree();
      const script = await bundle(join(SUPPORT, "undoer.ts"), built);
      const seen = { deleted: 0, whole: 0 };
      for (let kill = 0; kill < KILLS; kill += 1) {
        await killedUndoer(script, [temp.root, stateDirectory]);
        const opened = await temp.open();
        const records = await opened.journal.list();
        expect(records.filter(({ state }) => state === "unfinished")).toEqual([]);
        const deleted = records.findLast(({ state, undoes }) => state === "done" && undoes === undefined);
        const log = readFileSync(join(temp.root, "log.txt"), "utf8");
        const isDeleted = deleted !== undefined;
        seen[isDeleted ? "deleted" : "whole"] += 1;
        expect([
          existsSync(join(temp.root, "dir")),
          existsSync(join(temp.root, "other")),
          log === "old",
        ]).toEqual([!isDeleted, !isDeleted, !isDeleted]);
        if (isDeleted) await opened.undo(deleted.callId);
        expect(tree()).toBe(whole);
        expect(readdirSync(temp.root).sort()).toEqual(["dir", "log.txt", "other"]);
        await opened.close();
      }
      expect(seen.deleted + seen.whole).toBe(KILLS);
      temp.dispose();
      for (const folder of [built, stateDirectory]) rmSync(folder, { recursive: true });
    },
    600_000,
  );
});

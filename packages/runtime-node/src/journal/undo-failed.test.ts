import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ToolError } from "@haft/core";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type TemporaryWorkspace, temporaryWorkspace } from "../../test-support/temporary-workspace.js";

type ApplyChange = typeof import("../workspace/apply-change.js");

/** Fails the given step of a commit, before or after its effect is on disk. */
const fault = vi.hoisted(() => ({ step: Number.POSITIVE_INFINITY, isAfter: false, steps: 0 }));

vi.mock("../workspace/apply-change.js", async (original) => {
  const real = await original<ApplyChange>();
  const applyChange: ApplyChange["applyChange"] = async (...args) => {
    fault.steps += 1;
    const fails = fault.steps > fault.step;
    if (fails && !fault.isAfter) throw new ToolError("IO_ERROR", "the disk failed");
    await real.applyChange(...args);
    if (fails) throw new ToolError("IO_ERROR", "the disk failed");
  };
  return { ...real, applyChange };
});

const OTHER_DISK = "/dev/shm";
const hasOtherDisk = existsSync(OTHER_DISK) && statSync(OTHER_DISK).dev !== statSync(tmpdir()).dev;
const LARGE = 66 * 1024 * 1024;

let temp: TemporaryWorkspace;
let stateDirectory: string | undefined;

async function open(disk: "same" | "other"): Promise<void> {
  stateDirectory = disk === "other" ? mkdtempSync(join(OTHER_DISK, "haft-state-")) : undefined;
  temp = await temporaryWorkspace(
    { "dir/sub/f.txt": "f", "dir/g.txt": "g", "a.txt": "a", "b.txt": "b", "large.bin": "", "old/c.txt": "c" },
    stateDirectory === undefined ? {} : { stateDirectory },
  );
  for (const path of ["link", "dir/outside"]) symlinkSync("/usr/bin/env", join(temp.root, path));
  truncateSync(join(temp.root, "large.bin"), LARGE);
}

afterEach(() => {
  failAt(Number.POSITIVE_INFINITY);
  temp.dispose();
  if (stateDirectory !== undefined) rmSync(stateDirectory, { recursive: true, force: true });
});

function failAt(step: number, isAfter = false): void {
  Object.assign(fault, { step, isAfter, steps: 0 });
}

/** Returns every name with type, permissions, size of files and target of links. */
function picture(): string {
  const lines = execFileSync("find", [temp.root, "-mindepth", "1", "-printf", "%P %y %#m %s %l\\n"], {
    encoding: "utf8",
  });
  return lines
    .split("\n")
    .map((line) => line.replace(/ d (\S+) \d+/, " d $1"))
    .sort()
    .join("\n");
}

async function changeEverything(): Promise<void> {
  await temp.change(
    async (ws) => {
      await ws.remove("dir", { recursive: true });
      await ws.move("a.txt", "link", { overwrite: true });
      await ws.remove("b.txt");
      await ws.writeText("large.bin", "small", { mode: 0o600 });
      await ws.move("old", "new");
      await ws.createText("made/d.txt", "d");
    },
    { callId: "call" },
  );
}

const disks = hasOtherDisk ? (["same", "other"] as const) : (["same"] as const);
describe.each(disks)("S3.DEL an undo on a failing disk, with the trash on the %s disk", (disk) => {
  it.each([
    { isAfter: false, moment: "before" },
    { isAfter: true, moment: "after" },
  ])("leaves everything as the call left it, whichever step fails ($moment its effect)", async (each) => {
    await open(disk);
    const before = picture();
    await changeEverything();
    const changed = picture();
    for (let step = 0; ; step += 1) {
      failAt(step, each.isAfter);
      const failure = await temp.workspace.undo("call").catch((error) => error);
      if (fault.steps <= step) break;
      expect(failure).toMatchObject({ code: "IO_ERROR" });
      expect(picture(), `step ${step}`).toBe(changed);
    }
    expect(fault.steps).toBeGreaterThan(5);
    expect(picture()).toBe(before);
  });
});

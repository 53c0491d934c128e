import { mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type TemporaryWorkspace, temporaryWorkspace } from "../../test-support/temporary-workspace.js";
import { MAX_COPIED } from "./copied-view.js";
import { sandboxLimits } from "./sandbox-limits.js";
import { runSandboxed, type SandboxLaunch } from "./sandboxed-process.js";
import { unconfinedRunner } from "./unconfined-runner.js";

let place: TemporaryWorkspace;
const never = new AbortController().signal;

beforeEach(async () => {
  place = await temporaryWorkspace({ "a.txt": "one\n", "sub/b.txt": "two\n" });
});
afterEach(() => place.dispose());

function launch(script: string, more: Partial<SandboxLaunch> = {}): SandboxLaunch {
  const disk = { path: place.root, startBytes: 0, maxBytes: 1e9 };
  const argv = ["/bin/sh", "-c", script];
  return { argv, data: [], timeoutMs: 20_000, outputBytes: 1_000, disk, ...more };
}

describe("runSandboxed", () => {
  it("says when the launcher cannot be started", async () => {
    await expect(runSandboxed(launch("", { argv: ["/no/such/launcher"] }), never)).rejects.toMatchObject({
      code: "EXECUTION_ERROR",
    });
    await expect(runSandboxed(launch("", { argv: [] }), never)).rejects.toThrow();
  });

  it("ends at once what was cancelled before it began, and does without a disk to watch", async () => {
    const cancelled = AbortSignal.abort(new Error("cancelled"));
    await expect(runSandboxed(launch("sleep 30"), cancelled)).rejects.toThrow("cancelled");
    const disk = { path: join(place.base, "gone"), startBytes: 0, maxBytes: 1 };
    const end = await runSandboxed(launch("sleep 0.5; echo ok", { disk }), never);
    expect([end.exitCode, end.recorder.result().stdout.text]).toEqual([0, "ok\n"]);
  });

  it("lets nothing go on whose view could not be used", async () => {
    const waiting = launch("echo >&3; read -r go <&3 || exit 125; touch went-on", {
      cwd: place.root,
      onReady: () => {
        throw new Error("no view");
      },
    });
    await expect(runSandboxed(waiting, never)).rejects.toMatchObject({
      code: "EXECUTION_ERROR",
      cause: expect.objectContaining({ message: "no view" }),
    });
    expect(() => readFileSync(join(place.root, "went-on"))).toThrow("ENOENT");
  });
});

describe("unconfinedRunner", () => {
  const run = (argv: readonly [string, ...string[]], more: object = {}) => {
    const { workspace, stateDirectory } = place;
    const runner = unconfinedRunner({ workspace, stateDirectory, limits: sandboxLimits() });
    return runner.run({ argv, timeoutMs: 20_000, ...more }, never);
  };

  it("starts where it was told to, in a copy, and ends at its time", async () => {
    const outcome = await run(["sh", "-c", 'cat b.txt; echo "$A"; echo x > c'], {
      cwd: "sub",
      env: { A: "1" },
    });
    expect(outcome).toMatchObject({
      stdout: { text: "two\n1\n" },
      changes: [{ kind: "file", path: "sub/c" }],
    });
    const late = await run(["sh", "-c", "echo x > a.txt; sleep 30"], { timeoutMs: 300 });
    expect(late).toMatchObject({ timedOut: true, limitHit: "time", changes: [] });
    expect(readFileSync(join(place.root, "a.txt"), "utf8")).toBe("one\n");
  });

  it("refuses a workspace that is too large to be copied", async () => {
    mkdirSync(join(place.root, "huge"));
    writeFileSync(join(place.root, "huge/file"), "");
    truncateSync(join(place.root, "huge/file"), MAX_COPIED.bytes + 1);
    await expect(run(["true"])).rejects.toMatchObject({ code: "LIMIT_EXCEEDED" });
  });
});

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, statfsSync, truncateSync, writeFileSync } from "node:fs";
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
  return { argv, data: [], timeoutMs: 20_000, output: { keptBytes: 1_000 / 2 }, disk, ...more };
}

/** Creates files until it is stopped, because other tests may free space on the disk meanwhile. */
const FILL = "i=0; while :; do seq $i $((i += 2000)) | xargs touch; done";

describe("runSandboxed", () => {
  it("reports a launcher that cannot be started", async () => {
    await expect(runSandboxed(launch("", { argv: ["/no/such/launcher"] }), never)).rejects.toMatchObject({
      code: "EXECUTION_ERROR",
    });
    await expect(runSandboxed(launch("", { argv: [] }), never)).rejects.toThrow();
  });

  it("ends at once if cancelled before the start, and works without a disk limit", async () => {
    const cancelled = AbortSignal.abort(new Error("cancelled"));
    await expect(runSandboxed(launch("sleep 30"), cancelled)).rejects.toThrow("cancelled");
    const disk = { path: join(place.base, "gone"), startBytes: 0, maxBytes: 1 };
    const end = await runSandboxed(launch("sleep 0.5; echo ok", { disk }), never);
    expect([end.exitCode, end.recorder.result().stdout.text]).toEqual([0, "ok\n"]);
  });

  it.skipIf(statfsSync("/tmp").files === 0)("FE21 ends what fills the disk with empty files", async () => {
    const disk = { path: place.root, startBytes: 0, maxBytes: 1e9, maxEntries: 1_000 };
    const script = `cd ${place.root} && ${FILL}`;
    expect(await runSandboxed(launch(script, { disk }), never)).toMatchObject({ endedBy: "disk" });
  });

  it.skipIf(!existsSync("/usr/bin/bwrap"))("FE21 ends what fills memory with empty files", async () => {
    const disk = { path: place.root, startBytes: 0, maxBytes: 1e9, maxEntries: 1_000 };
    const bytes = 64 * 1024 * 1024;
    const box = ["bwrap", "--unshare-pid", "--die-with-parent", "--ro-bind", "/", "/", "--proc", "/proc"];
    const inside = [
      "--size",
      String(bytes),
      "--tmpfs",
      "/tmp",
      "--chdir",
      "/tmp",
      "--",
      "/bin/sh",
      "-c",
      FILL,
    ];
    const filling = (size: number, timeoutMs: number) => {
      const memoryFolders = [{ path: "/tmp", bytes: size }];
      return runSandboxed(launch("", { argv: [...box, ...inside], disk, memoryFolders, timeoutMs }), never);
    };
    expect(await filling(bytes, 20_000)).toMatchObject({ endedBy: "disk" });
    // Another size means that it is not the box's own folder.
    expect(await filling(bytes + 1, 1_000)).toMatchObject({ endedBy: "time" });
  });

  it.skipIf(statfsSync("/tmp").files === 0)("FE21 ends what cannot be measured", async () => {
    const disk = { path: place.root, startBytes: 0, maxBytes: 1e9, maxEntries: 1_000 };
    // Paths longer than the system accepts, created one folder at a time.
    const deep = "name=$(printf '%0250d' 0); for i in $(seq 20); do mkdir $name && cd $name || exit 1; done";
    const script = `cd ${place.root} && (${deep}) && ${FILL}`;
    expect(await runSandboxed(launch(script, { disk }), never)).toMatchObject({ endedBy: "disk" });
    execFileSync("rm", ["-rf", place.root]);
  });

  it("FE21 a reader of a large workspace continues while others fill the disk", async () => {
    const disk = { path: place.root, startBytes: Number.POSITIVE_INFINITY, maxBytes: 0, maxEntries: 0 };
    const script = `cd ${place.root} && seq 1 50 | xargs touch; sleep 0.6; echo ok`;
    expect(await runSandboxed(launch(script, { disk }), never)).toMatchObject({ exitCode: 0 });
  });

  it("stops code whose view is unusable", async () => {
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

  it("starts in the given folder of a copy, and stops at its time limit", async () => {
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

  it("refuses a workspace that is too large to copy", async () => {
    mkdirSync(join(place.root, "huge"));
    writeFileSync(join(place.root, "huge/file"), "");
    truncateSync(join(place.root, "huge/file"), MAX_COPIED.bytes + 1);
    await expect(run(["true"])).rejects.toMatchObject({ code: "LIMIT_EXCEEDED" });
  });
});

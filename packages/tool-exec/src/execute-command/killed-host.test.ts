import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createNodeRuntime } from "@haft/runtime-node";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { bundleProcess } from "../../../../tooling/testing/bundle-process.js";
import { liveProcesses } from "../../../../tooling/testing/live-processes.js";
import { ExecuteCommand } from "./execute-command-tool.js";

let root: string;
let host: ChildProcess | undefined;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "haft-killed-")));
  mkdirSync(join(root, "ws"));
  writeFileSync(join(root, "ws/a.txt"), "old\n");
});
afterEach(() => {
  host?.kill("SIGKILL");
  rmSync(root, { recursive: true, force: true });
});

describe.skipIf(process.platform !== "linux" || !existsSync("/usr/bin/bwrap"))(
  "a host that is killed",
  () => {
    it("FE21 leaves the workspace unchanged, nothing running after 5 s, and leftovers for the next start to remove", async () => {
      const script = await bundleProcess(
        new URL("./killed-host.fixture.ts", import.meta.url),
        join(root, "bin"),
      );
      host = spawn(process.execPath, [script, root], { stdio: "inherit" });
      // In the middle of both commands: all three sleeps are running, and no box is being created.
      await vi.waitFor(() => expect(liveProcesses("98.125").filter(isSleep)).toHaveLength(3), 20_000);
      const gone = once(host, "exit");
      host.kill("SIGKILL");
      await gone;
      await vi.waitFor(() => expect(liveProcesses("98.125")).toEqual([]), 5_000);
      expect(readdirSync(join(root, "ws"))).toEqual(["a.txt"]);
      expect(readFileSync(join(root, "ws/a.txt"), "utf8")).toBe("old\n");
      const sandbox = join(root, "state/sandbox");
      expect(readdirSync(sandbox).length).toBeGreaterThan(0);
      const next = await createNodeRuntime({
        workspace: join(root, "ws"),
        stateDirectory: join(root, "state"),
        role: "coder",
        tools: [ExecuteCommand],
      });
      await vi.waitFor(() => expect(readdirSync(sandbox)).toEqual([]), 10_000);
      await next.dispose();
    }, 60_000);

    it("FE3 leaves no repository in shared folders that the next start would not disable", async () => {
      mkdirSync(join(root, "ws/.git"));
      writeFileSync(join(root, "ws/.git/HEAD"), "ref: refs/heads/main\n");
      writeFileSync(join(root, "ws/.gitignore"), "out/\n");
      mkdirSync(join(root, "ws/out"));
      writeFileSync(join(root, "ws/a.test.js"), PLANTING);
      const script = await bundleProcess(
        new URL("./killed-build.fixture.ts", import.meta.url),
        join(root, "bin"),
      );
      host = spawn(process.execPath, [script, root], { stdio: "inherit" });
      await vi.waitFor(() => expect(existsSync(join(root, "ws/out/planted"))).toBe(true), 40_000);
      const gone = once(host, "exit");
      host.kill("SIGKILL");
      await gone;
      expect(existsSync(join(root, "ws/out/r/.git/HEAD"))).toBe(true);
      const state = join(root, "state");
      const next = await createNodeRuntime({
        workspace: join(root, "ws"),
        stateDirectory: state,
        role: "coder",
        tools: [ExecuteCommand],
      });
      expect(existsSync(join(root, "ws/out/r/.git"))).toBe(false);
      expect(readdirSync(join(root, "ws/out")).sort()).toEqual(["planted", "r"]);
      await vi.waitFor(() => expect(readdirSync(join(state, "sandbox"))).toEqual([]), 10_000);
      await next.dispose();
    }, 90_000);
  },
);

/** A test of the project that leaves a repository in build output and does not end. */
const PLANTING = `
const fs = require("node:fs");
for (const name of ["objects", "refs"]) fs.mkdirSync("out/r/.git/" + name, { recursive: true });
fs.writeFileSync("out/r/.git/HEAD", "ref: refs/heads/main\\n");
fs.writeFileSync("out/planted", "");
setTimeout(() => {}, 120_000);
`;

function isSleep(pid: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/comm`, "utf8") === "sleep\n";
  } catch {
    return false;
  }
}

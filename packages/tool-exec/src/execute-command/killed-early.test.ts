import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { bundleProcess } from "../../../../tooling/testing/bundle-process.js";
import { liveProcesses } from "../../../../tooling/testing/live-processes.js";

const ROUNDS = Number(process.env.HAFT_KILL_ROUNDS ?? 3);

let root: string;
let host: ChildProcess | undefined;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "haft-early-")));
  mkdirSync(join(root, "ws"));
  writeFileSync(join(root, "ws/a.txt"), "old\n");
});
afterEach(() => {
  host?.kill("SIGKILL");
  rmSync(root, { recursive: true, force: true });
});

describe.skipIf(process.platform !== "linux" || !existsSync("/usr/bin/bwrap"))(
  "a host that is killed while it makes boxes",
  () => {
    it(
      "FE21 leaves nothing running after 5 s, whichever step it had reached",
      async () => {
        const script = await bundleProcess(
          new URL("./killed-early.fixture.ts", import.meta.url),
          join(root, "bin"),
        );
        for (let round = 0; round < ROUNDS; round += 1) {
          host = spawn(process.execPath, [script, root], { stdio: ["ignore", "pipe", "inherit"] });
          await once(host.stdout as NodeJS.ReadableStream, "data");
          // Any moment is suitable: each is another step of creating a box.
          await delay((round * 60) / ROUNDS);
          const gone = once(host, "exit");
          host.kill("SIGKILL");
          await gone;
          await vi.waitFor(() => expect(liveProcesses("97.125"), `round ${round}`).toEqual([]), 5_000);
          expect(readFileSync(join(root, "ws/a.txt"), "utf8")).toBe("old\n");
        }
      },
      120_000 + ROUNDS * 20_000,
    );
  },
);

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { expect, it } from "vitest";
import { drainStreams } from "./drain-streams.js";
import { startProcess } from "./start-process.js";

it.skipIf(process.platform === "win32")(
  "FR8 reads what a program wrote, however busy the host was when it ended",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "haft-drain-"));
    try {
      const mark = join(folder, "done");
      const args = ["-c", 'echo out; echo done > "$0"', mark];
      const { stdout } = startProcess({ program: "/bin/sh", args, stdio: ["ignore", "pipe", "ignore"] });
      let text = "";
      (stdout as Readable).on("data", (chunk: Buffer) => {
        text += chunk.toString("utf8");
      });
      const drained = drainStreams([stdout as Readable]);
      block(500);
      while (!existsSync(mark)) block(20);
      await drained;
      expect(text).toBe("out\n");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

/** Blocks the event loop, like other work of a host. */
function block(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

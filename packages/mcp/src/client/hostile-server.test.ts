import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { mountMcpServer } from "./mount-mcp-server.js";
import { PacedRefresh } from "./paced-refresh.js";

const SERVER = fileURLToPath(new URL("../fixtures/foreign-server.mjs", import.meta.url));
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "haft-hostile-server-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function mount(mode: string) {
  const env = { CALLS_FILE: join(folder, "calls"), MARK: folder };
  return mountMcpServer({ command: process.execPath, args: [SERVER, mode], env }, { name: "other" });
}

/** Returns the processes that inherited the environment of this test's server. */
function descendants(): readonly string[] {
  return readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, "utf8").includes(`MARK=${folder}`);
    } catch {
      return false;
    }
  });
}

describe("a server that answers tools/list with list_changed", () => {
  it("FR5 is listed at most a few times a second, and closes promptly", async () => {
    const one = await mount("restless");
    await delay(1_500);
    const lists = readFileSync(join(folder, "calls"), "utf8").split("\n").length - 1;
    expect(lists).toBeGreaterThan(1);
    expect(lists).toBeLessThan(8);
    const began = performance.now();
    await one.close();
    expect(performance.now() - began).toBeLessThan(3_000);
    expect(descendants()).toEqual([]);
  });
});

describe.skipIf(process.platform !== "linux")("a server that starts a daemon", () => {
  it("FR5 is stopped, although the daemon left the process group and holds the pipes", async () => {
    const one = await mount("daemon");
    await expect.poll(() => descendants().length).toBeGreaterThan(1);
    const began = performance.now();
    await one.close();
    expect(performance.now() - began).toBeLessThan(3_000);
    await expect.poll(descendants).toEqual([]);
  });
});

describe("PacedRefresh", () => {
  it("FR5 reacts at once after a quiet period, and less and less often during a flood", async () => {
    let active = 0;
    const starts: number[] = [];
    const began = performance.now();
    const refresh = new PacedRefresh(
      async () => {
        active += 1;
        expect(active).toBe(1);
        starts.push(performance.now() - began);
        await delay(5);
        active -= 1;
      },
      (error) => expect(error).toBeUndefined(),
    );
    const flood = setInterval(() => refresh.request(), 1);
    await delay(2_000);
    clearInterval(flood);
    refresh.close();
    expect(starts[0]).toBeLessThan(200);
    expect(starts.length).toBeGreaterThanOrEqual(3);
    expect(starts.length).toBeLessThanOrEqual(5);
    const count = starts.length;
    refresh.request();
    await delay(50);
    expect(starts).toHaveLength(count);
  });

  it("FR5 reports an error and continues", async () => {
    const errors: unknown[] = [];
    const refresh = new PacedRefresh(
      () => Promise.reject(new Error("no list")),
      (error) => errors.push(error),
    );
    refresh.request();
    await expect.poll(() => errors.length).toBe(1);
    refresh.request();
    await expect.poll(() => errors.length).toBe(2);
    refresh.close();
  });
});

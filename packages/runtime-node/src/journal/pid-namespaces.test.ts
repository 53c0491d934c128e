import { type SpawnSyncReturns, spawn, spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleProcess } from "../../../../tooling/testing/bundle-process.js";
import { isOwned, LockAttempt } from "./lock-file.js";
import { isAlive, ownIdentity } from "./process-identity.js";

const UNSHARE = ["--pid", "--fork", "--mount-proc", "--kill-child"];
const probe: SpawnSyncReturns<Buffer> = spawnSync("unshare", [...UNSHARE, "true"]);
const isPermitted = probe.status === 0;
/** A sample. `pnpm test:namespaces` makes all 2,000, in about 15 s on two busy cores. */
const APPENDS_EACH = Number(process.env.HAFT_APPENDS ?? 100);

let base: string;
let bundle: string;
beforeAll(async () => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "haft-namespaces-")));
  bundle = await bundleProcess(new URL("../../test-support/line-appender.ts", import.meta.url), base);
}, 60_000);
afterAll(() => rmSync(base, { recursive: true, force: true }));

interface Appended {
  readonly pid: number;
  readonly applied: readonly string[];
  readonly failed: readonly string[];
}

function append(folder: string, name: string): Promise<Appended> {
  const setting = JSON.stringify({ folder, name, count: APPENDS_EACH });
  const child = spawn("unshare", [...UNSHARE, process.execPath, bundle, setting], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  child.stdout.on("data", (chunk) => {
    printed += chunk;
  });
  return new Promise((resolve, reject) => {
    child.once("exit", (code) =>
      code === 0 ? resolve(JSON.parse(printed)) : reject(new Error(`the appender ended with ${code}`)),
    );
  });
}

describe("FE17 two runtimes in different pid namespaces on one workspace", () => {
  it.skipIf(!isPermitted)(
    "FE17 lose no append, report no applied one as failed, and use no journal number twice (skipped where unshare is not permitted)",
    { timeout: 600_000 },
    async () => {
      const folder = join(base, "appends");
      mkdirSync(join(folder, "ws"), { recursive: true });
      writeFileSync(join(folder, "ws", "log.txt"), "");
      const reports = await Promise.all([append(folder, "one"), append(folder, "two")]);
      // Each process sees itself as the first one, so a process id alone cannot distinguish them.
      expect(reports.map(({ pid }) => pid)).toEqual([1, 1]);
      const lines = readFileSync(join(folder, "ws", "log.txt"), "utf8")
        .trimEnd()
        .split("\n");
      expect(reports.flatMap(({ failed }) => failed)).toEqual([]);
      expect([...lines].sort()).toEqual(reports.flatMap(({ applied }) => applied).sort());
      expect(lines).toHaveLength(2 * APPENDS_EACH);
      expect(new Set(lines).size).toBe(lines.length);
      const journal = readFileSync(join(folder, "state", "journal.jsonl"), "utf8")
        .trimEnd()
        .split("\n");
      const begun = journal.map((line) => JSON.parse(line)).filter(({ type }) => type === "begin");
      expect(new Set(begun.map(({ seq }) => seq)).size).toBe(begun.length);
    },
  );

  it.skipIf(!isPermitted)(
    "FE17 a live process of another namespace holds its lock, a dead one loses it",
    async () => {
      const path = join(base, "lock");
      const holder = spawn(
        "unshare",
        [...UNSHARE, process.execPath, bundle, JSON.stringify({ lock: path })],
        {
          stdio: ["ignore", "pipe", "inherit"],
        },
      );
      await new Promise((resolve) => holder.stdout.once("data", resolve));
      const attempt = new LockAttempt(path);
      try {
        const owner = attempt.take();
        expect(owner).toMatchObject({ pid: 1 });
        // Renewed while it is held, even beyond the maximum age of a record.
        await new Promise((resolve) => setTimeout(resolve, 3_000));
        expect(isOwned(path, owner as never)).toBe(true);
        // unshare kills its child together with itself (--kill-child), so the file is no longer renewed.
        holder.kill("SIGKILL");
        await new Promise((resolve) => holder.once("close", resolve));
        const longAgo = Date.now() / 1000 - 60;
        utimesSync(path, longAgo, longAgo);
        expect(attempt.take()).toBeUndefined();
      } finally {
        attempt.withdraw();
        holder.kill("SIGKILL");
      }
    },
  );
});

describe("FE17 whether a process is alive", () => {
  const own = ownIdentity();

  it("FE17 in another namespace or on another machine, is decided by the file that it renews", () => {
    const other = { ...own, space: "other-boot pid:[1]" };
    expect(isAlive(other, Date.now())).toBe(true);
    expect(isAlive(other, Date.now() - 10_000)).toBe(true);
    expect(isAlive(other, Date.now() - 60_000)).toBe(false);
    expect(isAlive(other)).toBe(false);
  });

  it("FE17 in this namespace, is decided by its id and start time, however old its file", () => {
    expect(isAlive(own, 0)).toBe(true);
    expect(isAlive({ ...own, startTime: "another" }, Date.now())).toBe(false);
    // In the format of version 0.1.
    expect(isAlive({ pid: own.pid, startTime: own.startTime })).toBe(true);
  });
});

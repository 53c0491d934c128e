import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { ApprovalRequest, ToolSuccess } from "@haft/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ExecWorld, openExecWorld } from "../exec.fixture.js";
import { ExecuteCommand } from "./execute-command-tool.js";

const noBox = process.platform !== "linux" || !existsSync("/usr/bin/bwrap");
let world: ExecWorld;
const asked: ApprovalRequest[] = [];

beforeEach(async () => {
  asked.length = 0;
  world = await openExecWorld(
    { "a.txt": "a\n", "one/same.txt": "one\n", "two/same.txt": "two\n" },
    {
      tools: [ExecuteCommand],
      approver: async (request) => {
        asked.push(request);
        return { approved: true };
      },
      commands: { onUnlisted: "box" },
    },
  );
});
afterEach(() => world[Symbol.asyncDispose]());

const run = async (command: string) => (await world.call("execute_command", { command })) as ToolSuccess;
const statsOf = (path: string) => lstatSync(join(world.workspace, path));
const modeOf = (path: string) => (statsOf(path).mode & 0o777).toString(8);

describe.skipIf(noBox)("attributes of files that a command leaves", () => {
  it("FE20 modification times are kept", async () => {
    await run("echo made > made.txt && touch -d '2020-01-02 03:04:05 UTC' made.txt");
    expect(statsOf("made.txt").mtimeMs).toBe(Date.UTC(2020, 0, 2, 3, 4, 5));
    await run("echo more >> a.txt && touch -d '2021-01-02 03:04:05 UTC' a.txt");
    expect(statsOf("a.txt").mtimeMs).toBe(Date.UTC(2021, 0, 2, 3, 4, 5));
    await run("echo first > x.in && sleep 0.05 && cat x.in > a.out");
    expect(statsOf("x.in").mtimeMs).toBeLessThan(statsOf("a.out").mtimeMs);
  });

  it("FE20 permissions of new folders are kept", async () => {
    await run(
      "umask 0; mkdir -m 711 m && mkdir -m 700 m/p && echo x > m/p/f && chmod 640 m/p/f && mkdir open",
    );
    expect(["m", "m/p", "m/p/f", "open"].map(modeOf)).toEqual(["711", "700", "640", "777"]);
  });

  it("FE20 permissions of existing folders are changes: shown, asked about, applied and undone", async () => {
    const before = modeOf("one");
    const { changes } = await run("chmod 701 one && rm a.txt");
    expect(changes).toMatchObject([
      { kind: "modify", path: "one", diff: `mode ${before} -> 701\n` },
      { kind: "delete", path: "a.txt" },
    ]);
    expect(asked).toMatchObject([{ reason: expect.stringContaining("modify 1 path and delete 1 path") }]);
    expect(modeOf("one")).toBe("701");
    await world.runtime.undo();
    expect(modeOf("one")).toBe(before);
    expect(existsSync(join(world.workspace, "a.txt"))).toBe(true);
  });

  it("FE20 a folder can be filled and closed, or opened and filled, in one command", async () => {
    chmodSync(join(world.workspace, "two"), 0o555);
    await run(
      "mkdir shut && echo in > shut/in.txt && chmod 500 shut; echo new > one/new.txt && rm one/same.txt && chmod 550 one; chmod 755 two && echo new > two/new.txt",
    );
    expect(["shut", "one", "two"].map(modeOf)).toEqual(["500", "550", "755"]);
    expect(readdirSync(join(world.workspace, "one"))).toEqual(["new.txt"]);
    await world.runtime.undo();
    expect(["one", "two"].map(modeOf)).toEqual(["755", "555"]);
    expect(readdirSync(world.workspace).sort()).toEqual(["a.txt", "one", "two"]);
  });

  it("FE20 permissions that another program changed meanwhile are kept", async () => {
    const chmodded = new Promise<void>((resolve) => {
      world.runtime.watch((event) => event.type === "progress" && resolve());
    });
    const running = run("chmod 700 one && echo chmodded && until ls two | grep -q go; do sleep 0.05; done");
    await chmodded;
    chmodSync(join(world.workspace, "one"), 0o711);
    writeFileSync(join(world.workspace, "two/go"), "");
    expect(await running).toMatchObject({ ok: false, error: { code: "STALE_FILE" } });
    expect(modeOf("one")).toBe("711");
  });

  it("keeps the permissions of the workspace itself, with a warning", async () => {
    chmodSync(world.workspace, 0o750);
    const { value, warnings } = await run("stat -c %a . && chmod 700 .");
    expect(value).toMatchObject({ stdout: "750\n", exitCode: 0 });
    expect(warnings.join()).toContain("the workspace folder itself keeps its permissions");
    expect(modeOf(".")).toBe("750");
  });

  it("detects files behind a folder that was renamed over another", async () => {
    await run("mv one tmp && mv two one && mv tmp two");
    expect(readFileSync(join(world.workspace, "one/same.txt"), "utf8")).toBe("two\n");
    expect(readFileSync(join(world.workspace, "two/same.txt"), "utf8")).toBe("one\n");
    await world.runtime.undo();
    expect(readFileSync(join(world.workspace, "one/same.txt"), "utf8")).toBe("one\n");
  });

  it("detects one change among thousands of files", async () => {
    mkdirSync(join(world.workspace, "many"));
    for (let file = 0; file < 3_000; file += 1) writeFileSync(join(world.workspace, `many/${file}`), "x");
    const { changes } = await run("echo y > many/1500 && rm many/1501");
    expect(changes.map(({ kind, path }) => `${kind} ${path}`).sort()).toEqual([
      "delete many/1501",
      "modify many/1500",
    ]);
  });
});

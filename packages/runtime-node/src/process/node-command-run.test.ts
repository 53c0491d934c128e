import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { CommandRun, CommandRunOptions, PipedCommand } from "@haft/core/capabilities";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type TemporaryWorkspace, temporaryWorkspace } from "../../test-support/temporary-workspace.js";
import { type NodeProcessRunner, nodeProcessRunner } from "./node-process-runner.js";
import { isGroupAlive } from "./stop-process-group.js";

let place: TemporaryWorkspace;
let runner: NodeProcessRunner;
let logDirectory: string;
const never = new AbortController().signal;

beforeEach(async () => {
  place = await temporaryWorkspace({ "a.txt": "one\n", "sub/b.txt": "two\n", ".env": "KEY=1\n" });
  logDirectory = join(place.base, "logs");
  runner = nodeProcessRunner({
    workspace: place.workspace,
    env: { PATH: process.env.PATH },
    logDirectory,
  });
});
afterEach(async () => {
  await runner.dispose();
  place.dispose();
});

async function opened<T>(work: (run: CommandRun) => Promise<T>, options: CommandRunOptions = {}): Promise<T> {
  const run = await runner.open(options, never);
  try {
    return await work(run);
  } finally {
    await run.close();
  }
}

function shell(script: string, more: Partial<PipedCommand> = {}): PipedCommand {
  return { argv: ["sh", "-c", script], ...more };
}

describe("NodeCommandRun", () => {
  it("changes its directory only inside the workspace, and otherwise names the reason", async () => {
    await opened(async (run) => {
      expect(await run.changeDirectory("sub")).toBe(true);
      expect(run.cwd).toBe("sub");
      expect(await run.list(".")).toEqual([{ name: "b.txt", isDirectory: false }]);
      expect(await run.list("nowhere")).toEqual([]);
      expect(await run.changeDirectory("b.txt")).toBe(false);
      expect(await run.changeDirectory("../nowhere")).toBe(false);
      expect(await run.changeDirectory("../../outside")).toBe(false);
      expect(await run.changeDirectory("..")).toBe(true);
      expect(run.cwd).toBe(".");
      const { stderr } = await run.close();
      expect(stderr.text.split("\n")).toEqual([
        "cd: b.txt: Not a directory",
        "cd: ../nowhere: No such file or directory",
        "cd: ../../outside: No such file or directory",
        "",
      ]);
    });
  });

  it("reads files of the workspace as input of a command, never a sensitive one", async () => {
    await opened(async (run) => {
      const read = (path: string) =>
        run.pipe({ commands: [{ argv: ["cat"], redirections: [{ kind: "read", fd: 0, path }] }] });
      expect(await read("sub/b.txt")).toEqual({ exitCode: 0 });
      expect(await read(join(place.root, "a.txt"))).toEqual({ exitCode: 0 });
      expect(await read("missing")).toEqual({ exitCode: 1 });
      await expect(read(".env")).rejects.toMatchObject({ code: "SENSITIVE_FILE" });
      await expect(read("../outside/secret.txt")).rejects.toMatchObject({ code: "INVALID_PATH" });
      const { stdout, stderr } = run.output();
      expect(stdout.text).toBe("two\none\n");
      expect(stderr.text).toContain("missing: No such file or directory");
    });
  });

  it("names a missing program, and reports one that cannot be started", async () => {
    await opened(async (run) => {
      const missing = { argv: ["no-such-program-here"] };
      expect(await run.pipe({ commands: [shell("echo x"), missing] })).toEqual({
        exitCode: 127,
        notFound: "no-such-program-here",
      });
      expect(await run.pipe({ commands: [{ argv: [] }] })).toMatchObject({ exitCode: 127 });
      writeFileSync(join(place.root, "broken"), "#!/no/such/interpreter\n");
      chmodSync(join(place.root, "broken"), 0o755);
      await expect(run.pipe({ commands: [{ argv: ["./broken"] }] })).rejects.toMatchObject({
        code: "EXECUTION_ERROR",
      });
      expect(await run.pipe({ commands: [shell("kill -9 $$")] })).toEqual({ exitCode: 137 });
    });
  });

  it("connects programs as a shell does, with a reader that ends first and one that reads nothing", async () => {
    await opened(async (run) => {
      const quick = await run.pipe({ commands: [{ argv: ["yes"] }, { argv: ["head", "-1"] }] });
      expect(quick).toEqual({ exitCode: 0 });
      const both = shell("echo out; echo err >&2", {
        redirections: [{ kind: "duplicate", fd: 2, from: 1 }],
      });
      await run.pipe({ commands: [both, { argv: ["sort"] }] });
      const silent = shell("echo lost", { redirections: [{ kind: "null", fd: 1 }] });
      await run.pipe({ commands: [silent, { argv: ["wc", "-c"] }] });
      const deaf: PipedCommand = { argv: ["cat"], redirections: [{ kind: "null", fd: 0 }] };
      await run.pipe({ commands: [shell("echo unread"), deaf] });
      const given = await run.pipe({
        commands: [{ argv: ["cat"] }],
        input: "given",
        collect: { maxBytes: 10 },
      });
      expect(given).toEqual({ exitCode: 0, collected: "given" });
      await run.pipe({ commands: [shell("echo noise >&2", { redirections: [{ kind: "null", fd: 2 }] })] });
      const { stdout, stderr } = run.output();
      expect(stdout.text).toBe("y\nerr\nout\n0\n");
      expect(stderr.text).not.toContain("noise");
    });
  });

  it("refuses to return more input than requested, because half of it would be wrong", async () => {
    await opened(async (run) => {
      const commands = [shell("head -c 5000 /dev/zero")];
      await expect(run.pipe({ commands, collect: { maxBytes: 100 } })).rejects.toMatchObject({
        code: "LIMIT_EXCEEDED",
        message: expect.stringContaining("5000 bytes"),
      });
    });
  });

  it("runs nothing more once its time is over", async () => {
    await opened(
      async (run) => {
        expect(await run.pipe({ commands: [{ argv: ["sleep", "30"] }] })).toEqual({ exitCode: 143 });
        expect(await run.pipe({ commands: [shell("echo late")] })).toEqual({ exitCode: 143 });
        const output = await run.close();
        expect(output).toMatchObject({ timedOut: true, stdout: { text: "" } });
        expect(await run.close()).toBe(output);
      },
      { timeoutMs: 100 },
    );
  });

  it("accepts input only while a program reads", async () => {
    const heard: string[] = [];
    await opened(
      async (run) => {
        expect(run.write("nobody")).toBe(false);
        const piped = run.pipe({ commands: [{ argv: ["head", "-1"] }] });
        await delay(50);
        expect(run.write("hello\n")).toBe(true);
        expect(await piped).toEqual({ exitCode: 0 });
      },
      { interactive: true, onOutput: (chunk) => heard.push(chunk) },
    );
    expect(heard.join("")).toBe("hello\n");
  });

  it("D31 ends leftover processes, also a pipeline that still runs when it is closed", async () => {
    const run = await runner.open({}, never);
    await run.pipe({ commands: [shell("sleep 30 >/dev/null 2>&1 & echo $!")] });
    const pid = Number(run.output().stdout.text);
    const working = run.pipe({ commands: [{ argv: ["sleep", "30"] }] });
    await delay(50);
    expect(await run.close()).toMatchObject({ leftBehind: true });
    expect(await working).toEqual({ exitCode: 143 });
    expect(isGroupAlive(pid)).toBe(false);
  });

  it("a cancelled run starts nothing, and runs are counted however they end", async () => {
    const cancelled = AbortSignal.abort(new Error("cancelled"));
    for (let round = 0; round < 10; round += 1)
      await expect(runner.open({}, cancelled)).rejects.toThrow("cancelled");
    const runs = await Promise.all(Array.from({ length: 8 }, () => runner.open({}, never)));
    await expect(runner.open({}, never)).rejects.toMatchObject({ code: "LIMIT_EXCEEDED" });
    await expect(runner.run({ argv: ["true"] }, never)).rejects.toMatchObject({ code: "LIMIT_EXCEEDED" });
    for (const run of runs) await run.close();
    const cancelling = new AbortController();
    const run = await runner.open({}, cancelling.signal);
    const working = run.pipe({ commands: [{ argv: ["sleep", "30"] }] });
    cancelling.abort(new Error("enough"));
    await expect(working).rejects.toThrow("enough");
    await expect(run.pipe({ commands: [shell("echo no")] })).rejects.toThrow("enough");
    await run.close();
  });
});

describe("the log of a long output", () => {
  const long = "i=0; while [ $i -lt 9000 ]; do echo line $i of many; i=$((i+1)); done";

  it("holds all of it, privately, and logs older than a week are removed", async () => {
    mkdirSync(logDirectory, { recursive: true });
    for (const [name, days] of [
      ["old.log", 8],
      ["recent.log", 6],
    ] as const) {
      writeFileSync(join(logDirectory, name), "");
      const at = Date.now() / 1000 - days * 24 * 3600;
      utimesSync(join(logDirectory, name), at, at);
    }
    const { stdout, logPath } = await opened(async (run) => {
      await run.pipe({ commands: [shell(long)] });
      return run.close();
    });
    const logged = readFileSync(String(logPath), "utf8");
    expect(logged.length).toBe(stdout.totalBytes);
    expect(logged.split("\n")).toHaveLength(9001);
    expect(statSync(String(logPath)).mode & 0o777).toBe(0o600);
    expect(readdirSync(logDirectory)).toContain("recent.log");
    expect(readdirSync(logDirectory)).not.toContain("old.log");
  });

  it("a failed write loses the log, never the command", async () => {
    writeFileSync(logDirectory, "a file where the folder should be");
    const output = await opened(async (run) => {
      expect(await run.pipe({ commands: [shell(long)] })).toEqual({ exitCode: 0 });
      return run.close();
    });
    expect(output.logPath).toBeUndefined();
    expect(output.stdout.omittedBytes).toBeGreaterThan(0);
  });
});

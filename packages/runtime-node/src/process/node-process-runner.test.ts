import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { ToolError } from "@haft/core";
import type { ProcessRequest } from "@haft/core/capabilities";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { liveProcesses } from "../../../../tooling/testing/live-processes.js";
import { nodeProcessRunner } from "./node-process-runner.js";

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "haft-process-")));
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

const never = new AbortController().signal;

const unused = (): never => {
  throw new Error("not needed to run one program");
};

function runner(env: Record<string, string | undefined> = { PATH: process.env.PATH }) {
  return nodeProcessRunner({
    env,
    workspace: {
      root,
      absolute: (path) => join(root, path),
      locate: async (path) => ({ path: path === "." ? "" : path, protected: false }),
      list: unused,
      stat: unused,
      stream: unused,
    },
  });
}

function node(script: string, request: Partial<ProcessRequest> = {}): ProcessRequest {
  return { argv: [process.execPath, "-e", script], ...request };
}

async function untilGone(marker: string): Promise<readonly string[]> {
  for (let round = 0; round < 50 && liveProcesses(marker).length > 0; round += 1) await delay(20);
  return liveProcesses(marker);
}

describe("nodeProcessRunner", () => {
  it("runs argv without a shell, and keeps both streams separate", async () => {
    const outcome = await runner().run({ argv: ["printf", "%s|", "$HOME", "a b", "; id"] }, never);
    expect(outcome).toMatchObject({
      exitCode: 0,
      signal: null,
      timedOut: false,
      backgroundChild: false,
      stdout: { text: "$HOME|a b|; id|", totalBytes: 15, omittedBytes: 0 },
      stderr: { text: "", totalBytes: 0 },
    });
  });

  it("S4.005 gives a child the scrubbed environment without the host's secrets", async () => {
    const env = { PATH: process.env.PATH, API_TOKEN: "hunter2-hunter2", LC_ALL: "C", SOMETHING: "x" };
    const outcome = await runner(env).run(
      node("console.log(JSON.stringify(process.env))", {
        env: { FOO: "yes", CI: "no", LD_PRELOAD: "/x.so", PATH: "/evil" },
      }),
      never,
    );
    const seen = JSON.parse(outcome.stdout.text);
    expect(seen).toMatchObject({ FOO: "yes", CI: "1", LC_ALL: "C", PAGER: "cat", GIT_TERMINAL_PROMPT: "0" });
    expect(seen).not.toHaveProperty("API_TOKEN");
    expect(seen).not.toHaveProperty("SOMETHING");
    expect(seen).not.toHaveProperty("LD_PRELOAD");
    expect(seen.PATH).not.toContain("/evil");
  });

  it("runs in the given directory with the given input", async () => {
    const pwd = await runner().run({ argv: ["pwd"] }, never);
    expect(pwd.stdout.text).toBe(`${root}\n`);
    const fed = await runner().run({ argv: ["cat"], stdin: "from the caller" }, never);
    expect(fed.stdout.text).toBe("from the caller");
    const unread = await runner().run({ argv: ["true"], stdin: "x".repeat(1_000_000) }, never);
    expect(unread.exitCode).toBe(0);
  });

  it("never takes a program from the workspace or a relative PATH entry", async () => {
    writeFileSync(join(root, "printf"), "#!/bin/sh\necho evil\n", { mode: 0o755 });
    writeFileSync(join(root, "planted"), "#!/bin/sh\necho evil\n", { mode: 0o755 });
    const path = `${root}:.:${process.env.PATH}`;
    const outcome = await runner({ PATH: path }).run({ argv: ["printf", "good"] }, never);
    expect(outcome.stdout.text).toBe("good");
    await expect(runner({ PATH: path }).run({ argv: ["planted"] }, never)).rejects.toMatchObject({
      code: "EXECUTION_ERROR",
      message: 'There is no program called "planted" on this machine',
    });
  });

  it("reports a missing program, and one that cannot be started", async () => {
    await expect(runner().run({ argv: ["no-such-program"] }, never)).rejects.toSatisfy(ToolError.is);
    await expect(runner().run({ argv: [""] }, never)).rejects.toMatchObject({ code: "EXECUTION_ERROR" });
    writeFileSync(join(root, "broken"), "#!/no/such/interpreter\n", { mode: 0o755 });
    await expect(runner().run({ argv: ["./broken"] }, never)).rejects.toMatchObject({
      code: "EXECUTION_ERROR",
      message: expect.stringContaining("could not be started"),
    });
  });

  it("bounds 20 MB of output to head and tail, with exact counts", async () => {
    const script = `
      const line = "0123456789abcde\\n".repeat(4096);
      let left = 320;
      process.stdout.write("FIRST\\n");
      (function go() { if (left-- === 0) return process.stdout.write("LAST\\n"); process.stdout.write(line, go); })();`;
    const { stdout } = await runner().run(node(script), never);
    const expected = 6 + 320 * 65_536 + 5;
    expect(stdout.totalBytes).toBe(expected);
    expect(stdout.text.startsWith("FIRST\n")).toBe(true);
    expect(stdout.text.endsWith("LAST\n")).toBe(true);
    expect(stdout.text).toContain(`[… ${stdout.omittedBytes} bytes left out …]`);
    expect(stdout.omittedBytes).toBe(expected - 96 * 1024);
  });

  it("stops a program that writes without end", async () => {
    await expect(runner().run({ argv: ["yes"] }, never)).rejects.toMatchObject({ code: "LIMIT_EXCEEDED" });
  });

  it("passes output on as it arrives, never half a character", async () => {
    const chunks: string[] = [];
    const script = `
      const bytes = Buffer.from("ä€😀".repeat(50));
      let at = 0;
      const timer = setInterval(() => { if (at >= bytes.length) return clearInterval(timer); process.stdout.write(bytes.subarray(at, at += 7)); }, 1);`;
    const { stdout } = await runner().run(
      node(script, { onOutput: (chunk, stream) => chunks.push(`${stream === "stdout" ? "" : "!"}${chunk}`) }),
      never,
    );
    expect(stdout.text).toBe("ä€😀".repeat(50));
    expect(chunks.join("")).toBe(stdout.text);
    expect(chunks.length).toBeGreaterThan(1);
  });

  it("a time limit ends the whole tree, including processes that ignore SIGTERM, and keeps the output", async () => {
    const marker = `haft-tree-${process.pid}-${Math.random()}`;
    const script = `trap '' TERM; echo started; sh -c 'trap "" TERM; while :; do sleep 1; done' ${marker} & sh -c 'sleep 60' ${marker} & while :; do sleep 1; done`;
    const outcome = await runner().run({ argv: ["sh", "-c", script, marker], timeoutMs: 300 }, never);
    expect(outcome).toMatchObject({ timedOut: true, exitCode: null, stdout: { text: "started\n" } });
    expect(await untilGone(marker)).toEqual([]);
  });

  it("an abort ends the tree and rejects with the signal's reason", async () => {
    const marker = `haft-abort-${process.pid}-${Math.random()}`;
    const abort = new AbortController();
    const running = runner().run({ argv: ["sh", "-c", "sleep 60 & sleep 60", marker] }, abort.signal);
    await delay(200);
    const reason = new ToolError("CANCELLED", "enough");
    abort.abort(reason);
    await expect(running).rejects.toBe(reason);
    expect(await untilGone(marker)).toEqual([]);
    await expect(runner().run({ argv: ["true"] }, abort.signal)).rejects.toBe(reason);
  });

  it("does not wait for a background child that holds the pipe, and ends it when disposed", async () => {
    const marker = `haft-background-${process.pid}-${Math.random()}`;
    const own = runner();
    const startedAt = performance.now();
    const outcome = await own.run({ argv: ["sh", "-c", `sh -c 'sleep 60; :' ${marker} & echo done`] }, never);
    expect(performance.now() - startedAt).toBeLessThan(3_000);
    expect(outcome).toMatchObject({ exitCode: 0, backgroundChild: true, stdout: { text: "done\n" } });
    expect(liveProcesses(marker)).not.toEqual([]);
    await own.dispose();
    expect(await untilGone(marker)).toEqual([]);
  });

  it("runs at most eight at once", async () => {
    const own = runner();
    const abort = new AbortController();
    const eight = Array.from({ length: 8 }, () => own.run({ argv: ["sleep", "60"] }, abort.signal));
    await expect(own.run({ argv: ["true"] }, never)).rejects.toMatchObject({ code: "LIMIT_EXCEEDED" });
    abort.abort(new ToolError("CANCELLED", "over"));
    expect((await Promise.allSettled(eight)).map(({ status }) => status)).toEqual(Array(8).fill("rejected"));
    await expect(own.run({ argv: ["true"] }, never)).resolves.toMatchObject({ exitCode: 0 });
    expect(existsSync(root)).toBe(true);
  });

  it("reports an exit status and a signal unchanged", async () => {
    expect(await runner().run({ argv: ["sh", "-c", "exit 7"] }, never)).toMatchObject({ exitCode: 7 });
    expect(await runner().run({ argv: ["sh", "-c", "kill -9 $$"] }, never)).toMatchObject({
      exitCode: null,
      signal: "SIGKILL",
    });
  });
});

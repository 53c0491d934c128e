import { spawnSync } from "node:child_process";
import { existsSync, linkSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { ToolFailure, ToolSuccess } from "@haft/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { liveProcesses } from "../../../../tooling/testing/live-processes.js";
import { type ExecWorld, openExecWorld } from "../exec.fixture.js";
import type { ExecuteCommandResult } from "./execute-command-schema.js";
import { ExecuteCommand } from "./execute-command-tool.js";

const files = {
  "package.json": JSON.stringify({
    name: "fixture",
    version: "1.0.0",
    scripts: { test: "node run.js", spawn: "node spawn.js" },
  }),
  "run.js": "console.log('test ok')\n",
  "README.md": "# Fixture\nTODO docs\n",
  "src/a.ts": "export const a = 1;\n",
  "src/b.ts": "export const b = 2;\n",
  "list.txt": "src/a.ts\nsrc/b.ts\n",
  ".env": "KEY=CANARY-5d1\n",
};
const tools = [ExecuteCommand];
let world: ExecWorld;

beforeEach(async () => {
  world = await openExecWorld(files, {
    tools,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, API_TOKEN: "tok-123456789" },
  });
});
afterEach(() => world[Symbol.asyncDispose]());

async function ok(args: object): Promise<ToolSuccess<ExecuteCommandResult>> {
  const result = await world.call("execute_command", args);
  if (!result.ok) throw new Error(result.text);
  return result as ToolSuccess<ExecuteCommandResult>;
}

async function fails(args: object): Promise<ToolFailure> {
  const result = await world.call("execute_command", args);
  if (result.ok) throw new Error(`ran: ${result.text}`);
  return result;
}

describe.skipIf(process.platform !== "linux")("execute_command", () => {
  it("S4.003.a runs ls in the workspace and returns its output", async () => {
    const { value, text } = await ok({ command: "ls" });
    expect(value).toMatchObject({
      stdout: "README.md\nlist.txt\npackage.json\nrun.js\nsrc\n",
      exitCode: 0,
      timedOut: false,
    });
    expect(text).toContain("README.md");
    expect(text).toContain("exit code 0");
  });

  it("S4.003.b runs npm install in the workspace", async () => {
    const { value } = await ok({ command: "npm install --offline --no-audit --no-fund" });
    expect(value.exitCode, value.stderr).toBe(0);
    expect(existsSync(join(world.workspace, "package-lock.json"))).toBe(true);
  }, 30_000);

  it.each([
    "rm -rf src",
    "touch x; ls",
    "ls > out.txt",
    "bash -c 'touch x'",
    "ls $(touch x)",
    "ls\ntouch x",
    "cat <(touch x)",
  ])("S4.003.c S4.005.b D30 denies %s, names the part, and runs nothing", async (command) => {
    const { error, text } = await fails({ command });
    expect(error).toMatchObject({ code: "COMMAND_DENIED", details: { offending: expect.any(String) } });
    expect(text).toContain(`\`${String(error.details?.offending).replaceAll("\n", "\\n")}\``);
    expect(existsSync(join(world.workspace, "x"))).toBe(false);
    expect(existsSync(join(world.workspace, "src"))).toBe(true);
  });

  it("S4.003.d D11 D25 stops at the time limit, keeps the output, and leaves no process", async () => {
    world.write("slow.js", "console.log('early'); console.error('oops'); setInterval(() => {}, 1000)\n");
    world.write("package.json", JSON.stringify({ scripts: { test: "node slow.js HAFT-MARK-1" } }));
    const { error, text, durationMs } = await fails({ command: "npm test", timeout: 2 });
    expect(error).toMatchObject({ code: "TIMEOUT", details: { timedOut: true } });
    expect(String(error.details?.stdout)).toContain("early");
    expect(String(error.details?.stderr)).toContain("oops");
    expect(text).toContain("early");
    expect(text).toContain("oops");
    expect(text).toContain("background: true");
    expect(durationMs).toBeLessThan(6_000);
    expect(liveProcesses("HAFT-MARK-1")).toEqual([]);
  }, 15_000);

  it("D26 shows both streams, also after success", async () => {
    const { value, text } = await ok({ command: "ls README.md; ls missing || true" });
    expect(value.exitCode).toBe(0);
    expect(value.stderr).toContain("missing");
    expect(text).toContain("[stderr]");
  });

  it("an exit code other than 0 is an answer", async () => {
    expect((await ok({ command: "grep -q nothing README.md" })).value.exitCode).toBe(1);
    expect((await ok({ command: "false" })).value.exitCode).toBe(1);
  });

  it("gives the same answers as bash", async () => {
    for (const command of [
      "ls src/*.ts | wc -l",
      "cat README.md | grep TODO | tr a-z A-Z",
      "cd src && ls *.ts",
      "cd missing || echo no",
      "cd src && ls && cd .. && ls README.md",
      "false && echo a || echo b; echo c",
      "! grep -q x README.md && echo yes",
      "cat list.txt | xargs wc -l",
      "xargs wc -l < list.txt",
      "cat list.txt | xargs -n 1 basename | sort -r",
      "ls missing 2>/dev/null | wc -l",
      "ls missing 2>&1 | wc -l",
      "wc -c < README.md",
      "seq 1 200000 | tail -1",
      "seq 1 100000000 | head -3",
      "cat missing.txt | wc -l",
      "printf 'a\\nb\\n' | xargs grep -l zzz",
      "echo one two | wc -w && pwd",
    ]) {
      const bash = spawnSync("/bin/bash", ["-c", command], { cwd: world.workspace, encoding: "utf8" });
      const { value } = await ok({ command });
      expect({ command, out: value.stdout, code: value.exitCode }).toEqual({
        command,
        out: bash.stdout,
        code: bash.status,
      });
    }
  }, 30_000);

  it("takes separate arguments without any shell syntax", async () => {
    expect((await ok({ command: ["echo", "$HOME", "a b", ";"] })).value.stdout).toBe("$HOME a b ;\n");
  });

  it("passes no secret of the host to a command, and closes its input", async () => {
    world.write(
      "run.js",
      "console.log(JSON.stringify(process.env)); process.stdin.on('end', () => console.log('no input')).resume()\n",
    );
    const { value } = await ok({ command: "npm test" });
    expect(value.stdout).not.toContain("tok-123456789");
    expect(value.stdout).toContain("no input");
    expect(value.stdout).toContain('"CI":"1"');
  });

  it.each([
    "cat .env",
    "head -n1 ./src/../.env",
    "cat link",
    "grep KEY .env",
    "cat < .env",
    "ls -a | xargs head",
    "cat hard",
  ])("S4.005.c %s never shows a sensitive file, whatever its name", async (command) => {
    symlinkSync(".env", join(world.workspace, "link"));
    linkSync(join(world.workspace, ".env"), join(world.workspace, "hard"));
    const result = await world.call("execute_command", { command });
    expect(JSON.stringify(result)).not.toContain("CANARY-5d1");
  });

  it.each(["cat out/secret", "ls out", "cat src/up/../../secret", "cat < out/secret", "cd out && ls"])(
    "%s does not leave the workspace through a link",
    async (command) => {
      world.write("../secret", "CANARY-5d1");
      symlinkSync(world.root, join(world.workspace, "out"));
      symlinkSync(join(world.workspace, "src"), join(world.workspace, "src/up"));
      const result = await world.call("execute_command", { command });
      expect(JSON.stringify(result)).not.toContain("CANARY-5d1");
      expect(result.ok && result.text.includes("state")).toBe(false);
    },
  );

  it("refuses a directory outside", async () => {
    for (const cwd of ["..", "/etc", "src/../.."])
      expect((await fails({ command: "ls", cwd })).error.code).toBe("INVALID_PATH");
    expect((await ok({ command: "ls", cwd: "src" })).value.stdout).toBe("a.ts\nb.ts\n");
  });

  it("a missing program is an error on its own, and 127 in a list", async () => {
    await using own = await openExecWorld(files, { tools, commands: { allow: ["no-such-program", "echo"] } });
    expect(await own.call("execute_command", { command: "no-such-program" })).toMatchObject({
      error: { code: "EXECUTION_ERROR" },
    });
    expect(await own.call("execute_command", { command: "no-such-program || echo other" })).toMatchObject({
      value: { stdout: "other\n" },
    });
  });

  it("S4.005.b a configured list replaces the default one", async () => {
    await using own = await openExecWorld(files, { tools, commands: { allowOnly: ["echo"] } });
    expect(await own.call("execute_command", { command: "ls" })).toMatchObject({
      error: { code: "COMMAND_DENIED" },
    });
    expect(await own.call("execute_command", { command: "CI=1 echo a" })).toMatchObject({ ok: true });
    expect(await own.call("execute_command", { command: "LD_PRELOAD=x echo a" })).toMatchObject({
      error: { code: "COMMAND_DENIED" },
    });
    expect(
      await own.call("execute_command", { command: "echo a", env: { NODE_OPTIONS: "x" } }),
    ).toMatchObject({ error: { code: "COMMAND_DENIED" } });
  });

  it("R21 asks about unlisted commands if configured, and runs them without a shell", async () => {
    const asked: string[] = [];
    const approver = async ({ reason }: { reason: string }) => {
      asked.push(reason);
      return { approved: asked.length === 1 };
    };
    await using own = await openExecWorld(files, { tools, approver, commands: { onUnlisted: "ask" } });
    expect(await own.call("execute_command", { command: "touch made.txt" })).toMatchObject({ ok: true });
    expect(existsSync(join(own.workspace, "made.txt"))).toBe(true);
    expect(await own.call("execute_command", { command: "touch other.txt" })).toMatchObject({
      error: { code: "APPROVAL_DENIED" },
    });
    expect(existsSync(join(own.workspace, "other.txt"))).toBe(false);
    expect(asked).toHaveLength(2);
    expect(await own.call("execute_command", { command: "cat .env" })).toMatchObject({
      error: { code: "COMMAND_DENIED" },
    });
    expect(asked).toHaveLength(2);
  });

  it.each([
    ["in the box it runs without that program", {}, { ok: true }],
    ["without a box it asks", { sandbox: { tier: "portable" } }, { error: { code: "APPROVAL_REQUIRED" } }],
  ] as const)(
    "FE3 in a repository that could make git start a program, %s",
    async (_what, options, expected) => {
      await using world = await openExecWorld({ "src/a.txt": "a" }, { tools, ...options });
      world.write("p.sh", "#!/bin/sh\ntouch PWNED\ncat\n", 0o755);
      const git = (...args: string[]) => spawnSync("git", args, { cwd: world.workspace });
      git("init", "-q");
      expect(await world.call("execute_command", { command: "git status --short" })).toMatchObject({
        ok: true,
      });
      git("config", "filter.x.clean", "./p.sh");
      for (const command of ["git status --short", "cd src && git status"])
        expect(await world.call("execute_command", { command })).toMatchObject(expected);
      expect(existsSync(join(world.workspace, "PWNED"))).toBe(false);
    },
  );

  it("git does not see the user's own configuration, except the identity for commits", async () => {
    const home = { HOME: world.root, PATH: process.env.PATH };
    world.write("../p.sh", `#!/bin/sh\ntouch ${world.root}/PWNED\ncat\n`, 0o755);
    world.write(
      "../.gitconfig",
      `[user]\nname = Ada\nemail = ada@example.com\n[filter "t"]\nclean = ${world.root}/p.sh\n`,
    );
    spawnSync("git", ["init", "-q"], { cwd: world.workspace });
    world.write(".gitattributes", "* filter=t\n");
    await using own = await openExecWorld(
      {},
      {
        tools,
        workspace: world.workspace,
        env: home,
        commands: { allow: ["git add", "git commit", "git log", "git status"] },
      },
    );
    const run = (command: string) => own.call("execute_command", { command });
    expect(await run("git add README.md && git commit -q -m first && git status --short")).toMatchObject({
      value: { exitCode: 0 },
    });
    expect(await run("git log --format=%an-%ae")).toMatchObject({
      value: { stdout: "Ada-ada@example.com\n" },
    });
    expect(existsSync(join(world.root, "PWNED"))).toBe(false);
  });

  it("an allowed assignment before a command counts", async () => {
    world.write("run.js", "console.log(process.env.CI, process.env.NODE_ENV)\n");
    expect((await ok({ command: "CI=other NODE_ENV=test npm test --silent" })).value.stdout).toBe(
      "other test\n",
    );
  });

  it("D31 returns when the command has ended, even if another process holds its output", async () => {
    world.write(
      "spawn.js",
      `require("child_process").spawn("sleep", ["61.75"], { stdio: "inherit", detached: true }).unref(); console.log("done")\n`,
    );
    const started = performance.now();
    const { value, warnings } = await ok({ command: "npm run spawn" });
    expect(performance.now() - started).toBeLessThan(8_000);
    expect(value.stdout).toContain("done");
    expect(warnings.join()).toContain("outlived");
    expect(liveProcesses("61.75")).toEqual([]);
  }, 15_000);

  it("shows plain text: no colours, and only the last state of a progress bar", async () => {
    world.write("o.txt", "\u001b[31mred\u001b[0m\nbad\rgood\n10%\r50%\r100%\nx\u202ey\n");
    const { value, text } = await ok({ command: "cat o.txt" });
    expect(text).toContain("red\ngood\n100%\nx\\u202ey");
    expect(value.stdout).toContain("\u001b[31m");
  });

  it("200 MB of output: memory, text and counts stay exact, and the log is complete up to its limit", async () => {
    world.write(
      "run.js",
      `const chunk = Buffer.from("0123456789abcdef0123456789abcde\\n".repeat(2000));
       for (let left = 200_000_000; left > 0; ) left -= require("fs").writeSync(1, chunk.subarray(0, left));\n`,
    );
    await ok({ command: "ls" });
    const before = process.memoryUsage().rss;
    const { value, text } = await ok({ command: "npm test --silent" });
    expect(process.memoryUsage().rss - before).toBeLessThan(60 * 1024 * 1024);
    expect(value).toMatchObject({ stdoutBytes: 200_000_000, truncated: true, exitCode: 0 });
    expect(value.stdout.length).toBeLessThan(50_000);
    expect(text.length).toBeLessThan(40_000);
    const log = readFileSync(value.logPath as string);
    expect(log.length).toBe(10 * 1024 * 1024);
    expect(log.equals(Buffer.from("0123456789abcdef0123456789abcde\n".repeat(log.length / 32)))).toBe(true);
    expect(statSync(value.logPath as string).mode & 0o777).toBe(0o600);
    expect(value.logPath?.startsWith(world.workspace)).toBe(false);
  }, 60_000);

  it("the log of a long output contains no secret, wherever the output was split", async () => {
    await using own = await openExecWorld({}, { tools, knownSecrets: ["hunter2-hunter2"] });
    own.write(
      "long.txt",
      `${"x".repeat(65_530)} hunter2-hunter2\n${"line hunter2-hunter2 line\n".repeat(5_000)}`,
    );
    const result = await own.call("execute_command", { command: "cat long.txt" });
    if (!result.ok) throw new Error(result.text);
    const { logPath } = result.value as ExecuteCommandResult;
    const log = readFileSync(logPath as string, "utf8");
    expect(log).not.toContain("hunter2");
    expect(log.split("[secret:known-1]")).toHaveLength(5_002);
  });

  it("keeps lines that report a failure from the middle of a long output", async () => {
    const lines = Array.from({ length: 30_000 }, (_, i) =>
      i === 15_000 ? "Error: the one that matters" : `line ${i}`,
    );
    world.write("long.log", `${lines.join("\n")}\n`);
    const { text, value } = await ok({ command: "cat long.log", max_output_tokens: 2_000 });
    expect(text).toContain("Error: the one that matters");
    expect(text).toContain("line 0\n");
    expect(text).toContain("line 29999");
    expect(text.length).toBeLessThan(2_000 * 4 + 500);
    expect(value.stdoutBytes).toBe(lines.join("\n").length + 1);
  });
});

import { execFileSync } from "node:child_process";
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { ToolFailure, ToolSuccess } from "@haft/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { liveProcesses } from "../../../../tooling/testing/live-processes.js";
import { type ExecWorld, openExecWorld } from "../exec.fixture.js";
import { ExecuteCommand } from "../execute-command/execute-command-tool.js";
import type { RunCodeResult } from "./run-code-schema.js";
import { RunCode } from "./run-code-tool.js";

const CANARY = "CANARY-91c";
const files = {
  "a.txt": "one\n",
  "sub/b.txt": "two\n",
  ".env": `KEY=${CANARY}\n`,
  "sub/deep/key.pem": CANARY,
  "mod.py": "x = 7\n",
};
const tools = [RunCode, ExecuteCommand];
let world: ExecWorld;

beforeEach(async () => {
  world = await openExecWorld(files, {
    approver: async () => ({ approved: true }),
    tools,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, API_TOKEN: `${CANARY}-env` },
    sandbox: { memoryMb: 128, processes: 32, cpuSeconds: 2, fileSizeMb: 64 },
  });
});
afterEach(() => world[Symbol.asyncDispose]());

async function ok(
  language: "python" | "bash",
  code: string,
  more: object = {},
): Promise<ToolSuccess<RunCodeResult>> {
  const result = await world.call("run_code", { language, code, timeout: 20, ...more });
  if (!result.ok) throw new Error(result.text);
  return result as ToolSuccess<RunCodeResult>;
}

async function fails(language: "python" | "bash", code: string, more: object = {}): Promise<ToolFailure> {
  const result = await world.call("run_code", { language, code, timeout: 20, ...more });
  if (result.ok) throw new Error(`ran: ${result.text}`);
  return result;
}

/** The next call works after any failure. */
async function stillWorks(): Promise<void> {
  expect((await ok("bash", "echo fine")).value.stdout).toBe("fine\n");
}

describe.skipIf(process.platform !== "linux" || !existsSync("/usr/bin/bwrap"))("run_code", () => {
  it("S3.RUN runs Python and bash with arguments, input, variables and modules of the workspace", async () => {
    const python = await ok(
      "python",
      "import sys, os, mod\nprint(sys.argv[1:], sys.stdin.read(), os.environ['A'], mod.x)",
      {
        args: ["x y", "$HOME"],
        stdin: "typed",
        env: { A: "1" },
      },
    );
    expect(python.value).toMatchObject({
      stdout: "['x y', '$HOME'] typed 1 7\n",
      stderr: "",
      exitCode: 0,
      filesChanged: [],
    });
    const bash = await ok("bash", 'echo "$1|$#"; cat a.txt; echo bad >&2; exit 9', { args: ["a  b", "c"] });
    expect(bash.value).toMatchObject({ stdout: "a  b|2\none\n", stderr: "bad\n", exitCode: 9 });
    expect(bash.value.duration).toBeGreaterThan(0);
  });

  it.each([{ args: ["a\0b"] }, { env: { A: "a\0b" } }])(
    "refuses input that no program can receive, by name: %j",
    async (more) => {
      expect((await fails("bash", "true", more)).error).toMatchObject({ code: "INVALID_ARGUMENTS" });
    },
  );

  it("S3.RUN reports created, changed and deleted files", async () => {
    const { value, text } = await ok(
      "bash",
      "echo new > new.txt; echo more >> a.txt; rm sub/b.txt; mkdir d; echo x > d/x",
    );
    expect(value.filesChanged).toEqual(["a.txt", "d", "d/x", "new.txt", "sub/b.txt"]);
    expect(text).toContain("a.txt");
    expect(readFileSync(join(world.workspace, "a.txt"), "utf8")).toBe("one\nmore\n");
  });

  it("S3.RUN stops at the time limit, keeps the output, leaves no process, and the next call works", async () => {
    const { error, text, durationMs } = await fails(
      "bash",
      "echo early; (setsid sleep 63.25 &) ; sleep 63.25",
      { timeout: 1 },
    );
    expect(error).toMatchObject({ code: "TIMEOUT", details: { limitHit: "time", stdout: "early\n" } });
    expect(text).toContain("early");
    expect(durationMs).toBeLessThan(5_000);
    await delay(200);
    expect(liveProcesses("63.25")).toEqual([]);
    await stillWorks();
  });

  it("stops leftover processes when the code ends", async () => {
    const { value } = await ok("bash", "setsid sleep 64.25 >/dev/null 2>&1 & (sleep 64.25 &) ; echo done");
    expect(value.stdout).toBe("done\n");
    expect(liveProcesses("64.25")).toEqual([]);
  });

  it("S3.RUN a cancelled run leaves no process", async () => {
    const cancelling = new AbortController();
    const call = world.call(
      "run_code",
      { language: "bash", code: "sleep 65.25" },
      { signal: cancelling.signal },
    );
    await delay(500);
    cancelling.abort();
    expect(await call).toMatchObject({ error: { code: "CANCELLED" } });
    await delay(2_500);
    expect(liveProcesses("65.25")).toEqual([]);
  });

  it("D32 a fork bomb reaches the process limit", async () => {
    const result = await world.call("run_code", {
      language: "bash",
      code: "f() { f | f & }; f; sleep 1",
      timeout: 4,
    });
    const limit = result.ok ? (result.value as RunCodeResult).limitHit : result.error.details?.limitHit;
    expect(limit).toBe("pids");
    await stillWorks();
  }, 20_000);

  it("D32 a memory hog reaches the memory limit", async () => {
    const { value, text } = await ok("python", "x = []\nwhile True: x.append(bytearray(1 << 20))");
    expect(value.limitHit).toBe("memory");
    expect(value.exitCode).not.toBe(0);
    expect(text).toContain("memory");
    await stillWorks();
  }, 30_000);

  it("D32 a busy loop reaches the processor time limit", async () => {
    expect((await ok("python", "while True: pass")).value.limitHit).toBe("cpu");
    await stillWorks();
  }, 30_000);

  it("D32 a disk filler reaches the file limit, in one file or in many", async () => {
    expect((await ok("bash", "head -c 100000000 /dev/zero > big")).value.limitHit).toBe("files");
    expect((await ok("python", "open('big2', 'wb').write(b'x' * 100_000_000)")).value.limitHit).toBe("files");
    const many = await world.call("run_code", {
      language: "bash",
      code: "i=0; while head -c 4000000 /dev/zero > fill$i; do i=$((i+1)); done",
      timeout: 20,
    });
    const limit = many.ok ? (many.value as RunCodeResult).limitHit : many.error.details?.limitHit;
    expect(limit).toBe("files");
    await stillWorks();
  }, 60_000);

  it("S3.RUN there is no network, not even to this machine", async () => {
    let hits = 0;
    const server = createServer(() => {
      hits += 1;
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as { port: number };
    const connect = `import socket\nsocket.create_connection(("127.0.0.1", ${port}), 1)`;
    expect((await ok("python", connect)).value.limitHit).toBe("network");
    expect((await ok("bash", "exec 3<>/dev/tcp/1.1.1.1/80")).value.limitHit).toBe("network");
    expect(hits).toBe(0);
    server.close();
  });

  it("S3.RUN S4.005.a nothing outside the workspace can be read or written", async () => {
    world.write("../outside/secret", CANARY);
    symlinkSync(join(world.root, "outside"), join(world.workspace, "link"));
    for (const code of [
      `cat ${world.root}/outside/secret`,
      "cat link/secret",
      "cat /etc/passwd /root/.bashrc /proc/1/environ /proc/self/environ; ls /home /root",
      "cat ../outside/secret; ls ..",
      `echo x > ${world.root}/outside/made; echo x > link/made`,
      "ln -s / up; cat up/etc/shadow; rm up",
    ])
      expect(JSON.stringify(await world.call("run_code", { language: "bash", code }))).not.toMatch(
        /CANARY-91c|root:x:|root:[*!$]|daemon:/,
      );
    expect(readdirSync(join(world.root, "outside"))).toEqual(["secret"]);
  });

  it("S4.005.c R19 secrets inside the workspace cannot be read, under any name", async () => {
    linkSync(join(world.workspace, ".env"), join(world.workspace, "sub/harmless.txt"));
    symlinkSync(".env", join(world.workspace, "link"));
    const code =
      "cat .env sub/deep/key.pem sub/harmless.txt link; grep -r CANARY . ; python3 -c \"print(open('.env').read())\"; echo x > .env; rm .env; env";
    const result = await ok("bash", code);
    expect(JSON.stringify(result)).not.toContain(CANARY);
    expect(readFileSync(join(world.workspace, ".env"), "utf8")).toContain(CANARY);
  });

  it("files that run as code later cannot be planted or changed", async () => {
    execFileSync("git", ["init", "-q"], { cwd: world.workspace });
    mkdirSync(join(world.workspace, "sub/.vscode"));
    world.write("haft.config.json", "{}");
    const hooks = readdirSync(join(world.workspace, ".git/hooks"));
    const { warnings } = await ok(
      "bash",
      `echo x > .git/hooks/pre-commit; git config core.pager x; mv .git g; echo x > sub/.vscode/tasks.json
       echo '{"role":"admin"}' > haft.config.json; echo x > .envrc; mkdir -p new/.git/hooks .haft && echo x > new/.git/hooks/post-commit; true`,
    );
    expect(readdirSync(join(world.workspace, ".git/hooks"))).toEqual(hooks);
    expect(readdirSync(join(world.workspace, "sub/.vscode"))).toEqual([]);
    expect(readFileSync(join(world.workspace, "haft.config.json"), "utf8")).toBe("{}");
    for (const planted of [".envrc", "new/.git", ".haft"]) {
      expect(existsSync(join(world.workspace, planted)), planted).toBe(false);
      expect(warnings.join("\n")).toContain(planted);
    }
  });

  it("a repository that is moved with its folder stays the user's", async () => {
    mkdirSync(join(world.workspace, "proj"));
    execFileSync("git", ["init", "-q"], { cwd: join(world.workspace, "proj") });
    world.write("proj/readme", "mine\n");
    const { warnings } = await ok("bash", "mv proj moved || true");
    expect(existsSync(join(world.workspace, "proj/.git/HEAD"))).toBe(true);
    expect(existsSync(join(world.workspace, "moved/.git"))).toBe(false);
    expect(warnings.join("\n")).toContain("moved/.git was left as it is");
  });

  it("has no privileges and cannot create namespaces", async () => {
    const { value } = await ok(
      "bash",
      "grep -E 'CapEff|NoNewPrivs|Seccomp:' /proc/self/status; unshare -Ur true && echo MADE; mount -t tmpfs x /tmp && echo MOUNTED",
    );
    expect(value.stdout).toMatch(/CapEff:\s+0{16}/);
    expect(value.stdout).toMatch(/NoNewPrivs:\s+1/);
    if (process.arch === "x64") expect(value.stdout).toMatch(/Seccomp:\s+2/);
    expect(value.stdout).not.toMatch(/MADE|MOUNTED/);
  });

  it("bounds a flood of output", async () => {
    const result = await world.call("run_code", { language: "bash", code: "yes abc", timeout: 2 });
    expect(JSON.stringify(result).length).toBeLessThan(200_000);
    await stillWorks();
  }, 20_000);

  it("D19 R21 a command that needs a shell runs in the sandbox, once a person has approved it", async () => {
    const approver = async () => ({ approved: true });
    await using own = await openExecWorld(files, { tools, approver, commands: { onUnlisted: "ask" } });
    const result = await own.call("execute_command", {
      command: 'for f in *.txt; do echo "$(basename $f)"; done; p=/etc; cat $p/shadow; touch made',
    });
    expect(result).toMatchObject({ ok: true, value: { stdout: "a.txt\n" } });
    expect(JSON.stringify(result)).not.toContain("root:");
    expect(existsSync(join(own.workspace, "made"))).toBe(true);
    // The box is available to roles that may run commands; changes beyond the role are left out.
    await using bare = await openExecWorld(files, {
      tools,
      approver,
      commands: { onUnlisted: "ask" },
      role: { name: "r", permissions: ["ExecuteCommands"] },
    });
    const left = await bare.call("execute_command", { command: "echo $(touch made)" });
    expect(left.warnings.join("\n")).toMatch(/made was left.*WriteFiles/);
    expect(existsSync(join(bare.workspace, "made"))).toBe(false);
  });
});

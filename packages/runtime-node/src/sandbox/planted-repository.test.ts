import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SandboxOutcome } from "@haft/core/capabilities";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { bundleProcess } from "../../../../tooling/testing/bundle-process.js";
import { liveProcesses } from "../../../../tooling/testing/live-processes.js";
import { openNodeWorkspace } from "../workspace/open-node-workspace.js";
import { bubblewrapSandbox } from "./bubblewrap-sandbox.js";
import { sweepRunFolders } from "./run-folder.js";
import { sandboxLimits } from "./sandbox-limits.js";

const noBox = process.platform !== "linux" || !existsSync("/usr/bin/bwrap");
const SEALED = ["config.worktree", "commondir", "hooks", "info", "modules", "worktrees"];
let root: string;
let host: ChildProcess | undefined;

const inGit = (name: string) => join(root, "ws/.git", name);
const git = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.com", ...args], {
    cwd: join(root, "ws"),
    encoding: "utf8",
  });

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "haft-planted-")));
  mkdirSync(join(root, "ws"));
  writeFileSync(join(root, "ws/a.txt"), "old\n");
  // The target of a planted commondir: a folder with a configuration that starts a program.
  mkdirSync(join(root, "ws/evil-repository"));
  writeFileSync(join(root, "ws/evil-repository/config"), `[core]\n\tfsmonitor = touch ${root}/PWNED\n`);
  writeFileSync(join(root, "ws/evil"), "../evil-repository\n");
  git("init", "-q", "--template=");
});
afterEach(() => {
  host?.kill("SIGKILL");
  rmSync(root, { recursive: true, force: true });
});

/** Runs a line with the repository writable, as for `git commit`. */
async function write(line: string): Promise<SandboxOutcome> {
  const stateDirectory = join(root, "state");
  const workspace = await openNodeWorkspace(join(root, "ws"), { stateDirectory });
  const sandbox = bubblewrapSandbox({ workspace, limits: sandboxLimits(), stateDirectory });
  try {
    const argv = ["bash", "-c", line] as const;
    const request = { kind: "command", argv, repository: "write", timeoutMs: 20_000 } as const;
    return await sandbox.run(request, new AbortController().signal);
  } finally {
    await sandbox.dispose?.();
    workspace.close();
  }
}

/** Each tries to leave its own configuration in the repository. */
const PLANTING = [
  "cp evil .git/commondir",
  "mv -f evil .git/commondir",
  "rm -f .git/commondir && cp evil .git/commondir",
  "ln -sfn ../evil .git/commondir",
  "mv .git/commondir .git/other && cp evil .git/commondir",
  "mv .git .git-other && mkdir .git && cp evil .git/commondir",
  "python3 -c \"import os; os.unlink('.git/commondir'); os.rename('evil', '.git/commondir')\"",
  "truncate -s 0 .git/commondir; tee .git/commondir < evil",
  "umount .git/commondir; cp evil .git/commondir",
  "rm -rf .git/hooks .git/config .git/config.worktree; cp -r evil-repository/config .git/config",
  "cp evil-repository/config .git/config.worktree; cp evil .git/hooks/post-checkout; cp evil .git/info/attributes",
  "mkdir -p .git/worktrees/x .git/modules/x && cp evil .git/worktrees/x/commondir",
];

describe.skipIf(noBox)("a command that may write to the repository", () => {
  it.each(PLANTING)("FE3 cannot plant configuration: %s", async (line) => {
    const config = readFileSync(inGit("config"), "utf8");
    const seen: string[] = [];
    const watching = setInterval(() => {
      if (existsSync(inGit("commondir"))) seen.push(readFileSync(inGit("commondir"), "utf8"));
    }, 1);
    const { warnings } = await write(`git add a.txt; ${line}; sleep 0.2`);
    clearInterval(watching);
    expect(new Set(seen)).toEqual(new Set([".\n"]));
    expect(warnings.join()).not.toContain("removed, because git would run");
    expect(SEALED.filter((name) => existsSync(inGit(name)))).toEqual([]);
    expect(readFileSync(inGit("config"), "utf8")).toBe(config);
    expect(git("status", "--short")).toContain("A  a.txt");
    expect(existsSync(join(root, "PWNED"))).toBe(false);
  });

  it("FE3 leaves a working repository, and no trace of its protection", async () => {
    const before = readdirSync(inGit("."));
    const line =
      "git add a.txt && git -c user.name=T -c user.email=t@example.com commit -qm x && git branch b && git worktree list";
    const { exitCode, stderr, stdout } = await write(line);
    expect([exitCode, stderr.text]).toEqual([0, ""]);
    expect(stdout.text).toContain("[");
    expect(git("log", "--format=%s", "b")).toBe("x\n");
    expect(readdirSync(inGit(".")).filter((name) => !before.includes(name))).toEqual(
      expect.arrayContaining(["index", "logs"]),
    );
    expect(SEALED.filter((name) => existsSync(inGit(name)))).toEqual([]);
  });

  it("FE3 stays protected while another such command ends", async () => {
    const first = write("git add a.txt; sleep 0.3");
    await vi.waitFor(() => expect(existsSync(inGit("commondir"))).toBe(true));
    const second = write("sleep 1.5; cp -f evil .git/commondir; mv -f evil .git/commondir; sleep 0.1");
    await first;
    expect(readFileSync(inGit("commondir"), "utf8")).toBe(".\n");
    expect((await second).warnings.join()).not.toContain("removed, because git would run");
    expect(existsSync(inGit("commondir"))).toBe(false);
  });

  it("FE3 is refused if a link stands in place of a protected file", async () => {
    mkdirSync(join(root, "ws/tools"));
    symlinkSync("../tools", inGit("hooks"));
    await expect(
      write("rm .git/hooks; mkdir .git/hooks; cp evil .git/hooks/pre-commit"),
    ).rejects.toMatchObject({
      code: "COMMAND_DENIED",
      message: expect.stringContaining(".git/hooks is a link"),
    });
  });

  it("FE3 leaves nothing when its host is killed: the next start removes the protection", async () => {
    const config = readFileSync(inGit("config"), "utf8");
    const fixture = new URL("./planted-repository.fixture.ts", import.meta.url);
    host = spawn(process.execPath, [await bundleProcess(fixture, join(root, "bin")), root], {
      stdio: "inherit",
    });
    await vi.waitFor(() => expect(existsSync(inGit("refs/planted"))).toBe(true), 30_000);
    const gone = once(host, "exit");
    host.kill("SIGKILL");
    await gone;
    await vi.waitFor(() => expect(liveProcesses("96.125")).toEqual([]), 30_000);
    // It is harmless before the next start.
    expect(readFileSync(inGit("commondir"), "utf8")).toBe(".\n");
    expect(git("status", "--short")).toContain("A  a.txt");
    sweepRunFolders(join(root, "state/sandbox"));
    expect(SEALED.filter((name) => existsSync(inGit(name)))).toEqual([]);
    expect(readFileSync(inGit("config"), "utf8")).toBe(config);
  }, 90_000);
});

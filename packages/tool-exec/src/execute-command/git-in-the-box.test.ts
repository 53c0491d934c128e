import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ApprovalRequest, ToolSuccess } from "@haft/core";
import { describe, expect, it } from "vitest";
import { type ExecWorld, openExecWorld } from "../exec.fixture.js";
import type { ExecuteCommandResult } from "./execute-command-schema.js";
import { ExecuteCommand } from "./execute-command-tool.js";

const noBox = process.platform !== "linux" || !existsSync("/usr/bin/bwrap");
const IDENTITY = ["-c", "user.name=T", "-c", "user.email=t@example.com"];

function git(cwd: string, ...args: string[]): string {
  const env = { PATH: process.env.PATH, HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1" };
  return execFileSync("git", [...IDENTITY, "-c", "protocol.file.allow=always", ...args], {
    cwd,
    env,
    encoding: "utf8",
  });
}

function put(root: string, path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

async function open(options: { approved?: boolean; sandbox?: object } = {}) {
  const asked: ApprovalRequest[] = [];
  const approver = async (request: ApprovalRequest) => {
    asked.push(request);
    return { approved: options.approved === true };
  };
  const home = `/tmp/haft-git-home-${process.pid}-${Math.random().toString(36).slice(2)}`;
  mkdirSync(home);
  writeFileSync(join(home, ".gitconfig"), "[user]\n\tname = Ada\n\temail = ada@example.com\n");
  const world = await openExecWorld(
    { "a.txt": "one\n", "src/b.txt": "two\n" },
    {
      tools: [ExecuteCommand],
      env: { PATH: process.env.PATH, HOME: home },
      commands: { onUnlisted: "box" },
      ...(options.approved === undefined ? {} : { approver }),
      ...(options.sandbox === undefined ? {} : { sandbox: options.sandbox }),
    },
  );
  git(world.workspace, "init", "-q", "-b", "main");
  git(world.workspace, "add", ".");
  git(world.workspace, "commit", "-qm", "first");
  return { world, asked };
}

const run = async (world: ExecWorld, command: string) =>
  (await world.call("execute_command", { command, timeout: 30 })) as ToolSuccess<ExecuteCommandResult>;

/** Each way in which a repository can name a program; `program` leaves a mark outside the workspace. */
const HOSTILE: Readonly<Record<string, (workspace: string, program: string) => void>> = {
  "filter.lfs by its name": (at, program) => {
    put(at, ".gitattributes", "* filter=lfs\n");
    for (const key of ["clean", "smudge", "process"]) git(at, "config", `filter.lfs.${key}`, program);
  },
  "another filter": (at, program) => {
    put(at, ".gitattributes", "* filter=evil\n");
    git(at, "config", "filter.evil.clean", program);
  },
  "the configuration of the working tree": (at, program) => {
    put(at, ".gitattributes", "* filter=evil\n");
    git(at, "config", "extensions.worktreeConfig", "true");
    git(at, "config", "--worktree", "filter.evil.clean", program);
  },
  "an included file": (at, program) => {
    put(at, ".git/evil", `[filter "evil"]\n\tclean = ${program}\n[core]\n\tfsmonitor = ${program}\n`);
    put(at, ".gitattributes", "* filter=evil\n");
    git(at, "config", "include.path", "evil");
  },
  "diff drivers": (at, program) => {
    put(at, ".gitattributes", "* diff=evil\n");
    for (const key of ["diff.evil.textconv", "diff.evil.command", "diff.external"])
      git(at, "config", key, program);
  },
  "monitor, hooks, pager and aliases": (at, program) => {
    git(at, "config", "core.fsmonitor", program);
    git(at, "config", "core.pager", program);
    git(at, "config", "pager.log", program);
    git(at, "config", "alias.st", `!${program}`);
    for (const hook of ["post-index-change", "reference-transaction", "pre-commit"]) {
      put(at, `.git/hooks/${hook}`, readFileSync(program, "utf8"));
      chmodSync(join(at, `.git/hooks/${hook}`), 0o755);
    }
  },
  "a nested repository": (at, program) => {
    mkdirSync(join(at, "inner"));
    git(join(at, "inner"), "init", "-q");
    put(at, "inner/x.txt", "x\n");
    git(join(at, "inner"), "add", ".");
    git(join(at, "inner"), "commit", "-qm", "inner");
    git(at, "add", "inner");
    git(at, "commit", "-qm", "link");
    put(at, "inner/.gitattributes", "* filter=evil\n");
    git(join(at, "inner"), "config", "filter.evil.clean", program);
    git(join(at, "inner"), "config", "core.fsmonitor", program);
    put(at, "inner/x.txt", "y\n");
  },
  "a submodule": (at, program) => {
    const other = `${at}-other`;
    mkdirSync(other);
    git(other, "init", "-q");
    put(other, "x.txt", "x\n");
    git(other, "add", ".");
    git(other, "commit", "-qm", "other");
    git(at, "submodule", "-q", "add", other, "sub");
    git(at, "commit", "-qm", "sub");
    put(at, "sub/.gitattributes", "* filter=evil\n");
    git(join(at, "sub"), "config", "filter.evil.clean", program);
    put(at, "sub/x.txt", "y\n");
  },
  "a partial clone": (at, program) => {
    git(at, "config", "core.repositoryFormatVersion", "1");
    git(at, "config", "extensions.partialClone", "origin");
    git(at, "config", "remote.origin.promisor", "true");
    git(at, "config", "remote.origin.url", `ext::${program}`);
    git(at, "config", "protocol.ext.allow", "always");
  },
};

const COMMANDS = [
  ...["git status", "git diff", "git diff HEAD", "git describe --dirty --always", "git log -p", "git show"],
  ...[
    "git grep one",
    "git blame a.txt",
    "git ls-files -m",
    "git show 1234567890123456789012345678901234567890",
  ],
  ...["git stash list", "git branch -a", "git diff --stat && git log --oneline", "git st"],
];

describe.each([
  ["in the box", undefined],
  ["without a box", { tier: "portable" }],
])("programs that a repository's configuration names do not run outside the box, %s", (_where, sandbox) => {
  it.skipIf(noBox).each(Object.keys(HOSTILE))(
    "FE3 %s",
    async (name) => {
      const { world } = await open(sandbox === undefined ? {} : { sandbox });
      await using own = world;
      const mark = join(own.root, "PWNED");
      const program = join(own.root, "evil.sh");
      writeFileSync(program, `#!/bin/sh\ntouch ${mark}\ncat\n`, { mode: 0o755 });
      HOSTILE[name]?.(own.workspace, program);
      own.write("a.txt", "changed\n");
      rmSync(mark, { force: true });
      for (const command of COMMANDS) {
        await run(own, command);
        expect(existsSync(mark), command).toBe(false);
      }
    },
    60_000,
  );
});

describe.skipIf(noBox).each([
  ["in the box", undefined],
  ["without a box", { tier: "portable" }],
])("git sees the workspace and nothing above it, %s", (_where, sandbox) => {
  const SECRET = "above-the-workspace";

  async function openBelow() {
    const opened = await open(sandbox === undefined ? {} : { sandbox });
    const { root, workspace } = opened.world;
    rmSync(join(workspace, ".git"), { recursive: true });
    put(root, "above.txt", `${SECRET}\n`);
    put(root, ".gitignore", "state\n");
    git(root, "init", "-q");
    git(root, "add", "above.txt", "ws", ".gitignore");
    git(root, "commit", "-qm", SECRET);
    put(root, "above.txt", `${SECRET} changed\n`);
    return opened.world;
  }

  it.each([
    ...["git show HEAD:above.txt", "git log -p", "git diff", "git diff -- :/", "git grep above -- :/"],
    ...["git cat-file -p HEAD:above.txt", "git log --oneline", "git status", "git ls-files :/", "git show"],
    ...["git rev-list --all", "git branch -a"],
  ])("FE4 in a folder of a repository: %s", async (command) => {
    await using own = await openBelow();
    expect((await run(own, command)).text).not.toContain(SECRET);
  });

  it.each([
    ["a file", (at: string, to: string) => writeFileSync(join(at, ".git"), `gitdir: ${to}\n`)],
    ["a link", (at: string, to: string) => symlinkSync(to, join(at, ".git"))],
  ])("FE4 where .git is %s that leads to another repository", async (_what, plant) => {
    const { world } = await open(sandbox === undefined ? {} : { sandbox });
    await using own = world;
    const other = join(own.root, "other");
    put(other, "x.txt", `${SECRET}\n`);
    git(other, "init", "-q");
    git(other, "add", ".");
    git(other, "commit", "-qm", SECRET);
    rmSync(join(own.workspace, ".git"), { recursive: true });
    plant(own.workspace, join(other, ".git"));
    for (const command of ["git log -p", "git show HEAD:x.txt", "git log --oneline"]) {
      const result = await run(own, command);
      expect(result.text).not.toContain(SECRET);
      expect(result.text).toContain("outside the workspace");
    }
  });
});

describe.skipIf(noBox)("git commands that write", () => {
  it("git add, commit and stash prompt once and run with the repository writable", async () => {
    const { world, asked } = await open({ approved: true });
    await using own = world;
    own.write("a.txt", "changed\n");
    const committed = await run(own, "git add a.txt && git commit -m 'second one'");
    expect(committed).toMatchObject({ ok: true, value: { exitCode: 0 } });
    expect(committed.text).toContain("undo does not cover");
    expect(asked).toHaveLength(1);
    expect(asked[0]?.reason).toContain("changes the repository");
    expect(git(own.workspace, "log", "-1", "--format=%an %ae %s")).toBe("Ada ada@example.com second one\n");
    own.write("src/b.txt", "stashed\n");
    expect(await run(own, "git stash")).toMatchObject({ ok: true, value: { exitCode: 0 } });
    expect(readFileSync(join(own.workspace, "src/b.txt"), "utf8")).toBe("two\n");
    expect(await run(own, "git stash pop")).toMatchObject({ ok: true, value: { exitCode: 0 } });
    expect(readFileSync(join(own.workspace, "src/b.txt"), "utf8")).toBe("stashed\n");
    expect(asked).toHaveLength(3);
  }, 30_000);

  it("without an approver they are refused, and the refusal names the setting", async () => {
    const { world } = await open();
    await using own = world;
    const result = await run(own, "git commit --allow-empty -m x");
    expect(result).toMatchObject({ ok: false, error: { code: "COMMAND_DENIED" } });
    expect(result.text).toContain('"git commit"');
  });

  it("cannot plant hooks or configuration", async () => {
    const { world } = await open({ approved: true });
    await using own = world;
    rmSync(join(own.workspace, ".git/hooks"), { recursive: true, force: true });
    const planting = [
      "git commit --allow-empty -qm x",
      "mkdir -p .git/hooks; cp a.txt .git/hooks/pre-commit",
      "echo '[core]' >> .git/config; echo x > .git/config.worktree; echo ../evil > .git/commondir",
    ].join("; ");
    own.write("plant.sh", planting);
    await run(own, "git add a.txt && sh plant.sh");
    await run(own, "git add a.txt && mkdir -p .git/hooks && cp a.txt .git/hooks/pre-commit");
    expect(existsSync(join(own.workspace, ".git/hooks/pre-commit"))).toBe(false);
    expect(existsSync(join(own.workspace, ".git/commondir"))).toBe(false);
    expect(existsSync(join(own.workspace, ".git/config.worktree"))).toBe(false);
    expect(git(own.workspace, "config", "--list", "--local")).not.toContain("evil");
  }, 30_000);

  it("never commit a hidden file", async () => {
    const { world } = await open({ approved: true });
    await using own = world;
    own.write(".env", "KEY=value\n");
    git(own.workspace, "add", "-f", ".env");
    git(own.workspace, "commit", "-qm", "secret");
    own.write("a.txt", "changed\n");
    expect((await run(own, "git commit -am x")).text).toContain("hidden");
    await run(own, "git add -A && git commit -m y");
    expect(git(own.workspace, "show", "HEAD:.env")).toBe("KEY=value\n");
  }, 30_000);

  it("FE5 commit no hidden file with a wildcard from a folder that lists none of them", async () => {
    const { world } = await open({ approved: true });
    await using own = world;
    own.write(".env", "KEY=value\n");
    git(own.workspace, "add", "-f", ".env");
    git(own.workspace, "commit", "-qm", "secret");
    own.write("src/b.txt", "changed\n");
    expect((await run(own, "cd src && git commit -am x")).text).toContain("hidden");
    expect(git(own.workspace, "show", "HEAD:.env")).toBe("KEY=value\n");
  }, 30_000);

  it("FE5 are refused with a wildcard if git lists more files than can be checked", async () => {
    const { world, asked } = await open({ approved: true });
    await using own = world;
    const blob = git(own.workspace, "rev-parse", "HEAD:a.txt").trim();
    const names = Array.from({ length: 25_000 }, (_, index) => `${index}-${"x".repeat(200)}`);
    const entries = names.map((name) => `100644 ${blob}\t${name}\n`).join("");
    execFileSync("git", ["update-index", "--index-info"], { cwd: own.workspace, input: entries });
    const result = await run(own, "git commit -am x");
    expect(result).toMatchObject({ ok: false, error: { code: "COMMAND_DENIED" } });
    expect(result.text).toContain("git does not list which files the repository tracks");
    expect(asked).toEqual([]);
  }, 30_000);
});

it
  .skipIf(noBox)
  .each(["git stash -u", "git stash --include-untracked", "git stash -k", "git stash push -u -m wip"])(
  "FE20 %s",
  async (command) => {
    const { world } = await open({ approved: true });
    await using _ = world;
    put(world.workspace, "a.txt", "changed\n");
    put(world.workspace, "new.txt", "new\n");
    expect((await run(world, command)).value, command).toMatchObject({ exitCode: 0 });
    expect(readFileSync(join(world.workspace, "a.txt"), "utf8")).toBe("one\n");
    expect(git(world.workspace, "stash", "list")).toContain("stash@{0}");
  },
);

it.skipIf(noBox)("FE20 git -C runs in that folder, and reaches no other", async () => {
  const { world, asked } = await open({ approved: true });
  await using _ = world;
  const outputs = async (command: string) => (await run(world, command)).value?.stdout;
  expect(await outputs("git -C . log --oneline -1")).toContain("first");
  expect(await outputs("git -C src show HEAD:./b.txt")).toBe("two\n");
  expect(await outputs(`git -C "${world.workspace}/src" log --format=%s | head -1`)).toBe("first\n");
  expect(await outputs("git -C src -C .. ls-files | grep -c txt")).toBe("2\n");
  put(world.workspace, "names", "b\n");
  expect(await outputs("git -C src ls-files | grep -f names")).toBe("b.txt\n");
  expect(await outputs("git -C src ls-files | grep -rl one --include=*.txt")).toBe("a.txt\n");
  expect(asked).toEqual([]);
  put(world.workspace, "src/c.txt", "three\n");
  await run(world, "git -C src add c.txt");
  expect([asked.length, git(world.workspace, "diff", "--cached", "--name-only")]).toEqual([1, "src/c.txt\n"]);
  mkdirSync(join(world.root, "elsewhere"));
  git(join(world.root, "elsewhere"), "init", "-q");
  symlinkSync("../elsewhere", join(world.workspace, "link"));
  for (const folder of [".git", "../elsewhere", `${world.root}/elsewhere`, "link", "absent"]) {
    const result = await run(world, `git -C ${folder} status`);
    expect([folder, result.ok && result.value.exitCode === 0]).toEqual([folder, false]);
  }
});

it.skipIf(noBox)(
  "FE20 explains why git does not find contents in a command that is not understood",
  async () => {
    const { world } = await open({ approved: true });
    await using _ = world;
    const result = await run(world, "git format-patch -1 --stdout");
    expect(result.text).toContain("git saw only names and versions in the repository");
    for (const command of [
      "git config user.name Ada",
      "git branch -m trunk",
      "git remote add up https://a.example/b",
    ])
      expect((await run(world, command)).text, command).toContain(
        "settings (.git/config) are read-only here",
      );
  },
);

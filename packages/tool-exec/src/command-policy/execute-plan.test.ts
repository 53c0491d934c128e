import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  lstatSync,
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
import { dirname, join, resolve } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createCommandPolicy } from "./command-policy.js";
import { decideCommand } from "./decide-command.js";
import { defaultAllowList } from "./default-allow-list.js";
import { lexicalPathCheck } from "./lexical-path-check.js";
import type { PathCheck } from "./path-check.js";
import { planXargs } from "./plan-xargs.js";
import { type PreparedCommand, prepareStep } from "./prepare-step.js";

// A verdict alone proves nothing: these commands really run, in a workspace full of traps.
const canary = "CANARY-7f3a";

/** Sensitive by location, or by a name that no list can contain. */
const SECRETS = [
  ".docker/config.json",
  ".kube/config",
  ".config/gh/hosts.yml",
  ".config/gcloud/x",
  ".ssh/config",
  "deploy/.aws/x",
  "id_rsa_old",
  "x.tfstate.backup",
  "credentials.yml",
];

describe.skipIf(process.platform !== "linux")("executed commands", () => {
  let root = "";
  let workspace = "";

  // Creating a repository takes eight processes, copying one none.
  const template = realpathSync(mkdtempSync(join(tmpdir(), "haft-execute-template-")));

  beforeAll(() => {
    workspace = template;
    write("README.md", "# Fixture\n");
    write("src/a.ts", "export const a = 1;\n");
    write(".env.example", "KEY=\n");
    git("init", "-q", "-b", "main");
    git("config", "user.email", "a@example.com");
    git("config", "user.name", "a");
    git("add", "-A");
    git("commit", "-q", "-m", "init");
  });

  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), "haft-execute-")));
    workspace = join(root, "ws");
    cpSync(template, workspace, { recursive: true });
    write(".env", `KEY=${canary}\n`);
    write("src/.env.local", `${canary}\n`);
    for (const path of SECRETS) write(path, `${canary}\n`);
    write("../outside/secret.txt", `${canary}\n`);
    write("p.sh", `#!/bin/sh\ntouch ${root}/PWNED\ncat\n`, 0o755);
    symlinkSync(join(root, "outside"), join(workspace, "src/link"));
  });

  afterEach(() => rmSync(root, { recursive: true, force: true }));
  afterAll(() => rmSync(template, { recursive: true, force: true }));

  it.each([
    ...[
      "grep -r KEY .",
      "grep -Rn CANARY src",
      "grep -RnH CANARY .",
      "grep -d recurse '' .",
      "grep -r --include='.e*' '' .",
    ],
    ...[
      "grep --include=.env -r KEY .",
      "rg -uuu CANARY",
      "rg --hidden ''",
      "rg -g '.env*' -uu ''",
      "rg -. ''",
    ],
    ...[
      "grep -rn CANARY .docker",
      "grep -rn CANARY .docker/",
      "cd .docker && grep -r CANARY",
      "cd .kube; grep -r CANARY .",
      "grep -r CANARY .config .kube",
      "grep -r CANARY .config/gh",
      "cd .config/gh && rg CANARY",
      "rg CANARY .docker",
      "cd .docker && rg CANARY",
      "grep CANARY .docker/*",
      "head .kube/*",
    ],
    ...[
      "cat .e*",
      "cat .en?",
      "cat .[!a]nv",
      "head .*",
      "cat src/.*",
      "cat src/*",
      "cat *",
      "cat src/link/secret.txt",
    ],
    ...[
      "echo .env | xargs head",
      "echo '\".env\"' | xargs head",
      "echo '.e\\nv' | xargs head",
      "ls -a | xargs grep CANARY",
    ],
    ...[
      "echo ../outside/secret.txt | xargs head",
      "find . -name '.env*' | xargs grep -h ''",
      "find -L . -name '*.txt' | xargs head",
    ],
    ...[
      "printf '%s\\n' --file=.env README.md | xargs grep -v x",
      "find . -print0 | xargs -0 -n 1 tail",
      "diff -N . src",
    ],
    ...[
      "git add -A; git diff --cached",
      "git add -A && git commit -m x && git show",
      "git grep CANARY",
      "git diff -- '.e*'",
    ],
  ])("%s shows no secret and starts no program", async (text) => {
    const output = await execute(text);
    expect(output).not.toContain(canary);
    expect(existsSync(join(root, "PWNED"))).toBe(false);
  });

  it.each([
    "git show",
    "git log -p",
    "git log -p --all",
    "git reflog -p",
    "git grep '' HEAD",
    "git diff HEAD~1",
    "git stash list -p",
  ])("%s hides a committed secret, and nothing else", async (text) => {
    write("src/a.ts", "export const a = 2;\n");
    git("add", "-A");
    git("commit", "-q", "-m", "second");
    const output = await execute(text);
    expect(output).not.toContain(canary);
    if (!text.includes("stash")) expect(output).toContain("const a = 2");
  });

  it.each([
    ["core.fsmonitor", "git status"],
    ["core.pager", "git log"],
    ["diff.external", "git diff HEAD~0"],
    ["diff.trap.textconv", "git diff"],
    ["diff.trap.command", "git log -p"],
    ["core.editor", "git commit --amend --no-edit"],
    ["gpg.program", "git log -1"],
    ["core.hooksPath", "git commit -m x --allow-empty"],
  ])("a repository with %s starts no program on %s", async (key, text) => {
    git("config", key, key === "core.hooksPath" ? join(workspace, "hooks") : join(workspace, "p.sh"));
    git("config", "commit.gpgSign", "true");
    git("config", "log.showSignature", "true");
    write("hooks/pre-commit", `#!/bin/sh\ntouch ${root}/PWNED\n`, 0o755);
    write(".gitattributes", "*.ts diff=trap\n");
    write("src/a.ts", "export const a = 3;\n");
    await execute(text);
    expect(existsSync(join(root, "PWNED"))).toBe(false);
  });

  it("leaves no trace of any attack in the corpus", async () => {
    const file = new URL("corpus/bypass.json", import.meta.url);
    const corpus = JSON.parse(readFileSync(file, "utf8")) as Record<string, string[]>;
    const before = snapshot();
    for (const text of Object.values(corpus).flat()) {
      expect(await execute(text.replaceAll("/work/ws", workspace)), text).not.toContain(canary);
    }
    expect(snapshot()).toEqual(before);
  });

  it("gives the same answers as bash if nothing is hidden", async () => {
    for (const text of [
      "ls src/*.ts | wc -l",
      "cat README.md src/a.ts",
      "grep -n const src/a.ts || echo none",
      "sed -n 1p README.md",
      "ls missing 2>/dev/null || echo no",
      "git log --format=%s",
      "git show --stat --format=%s",
      "cd src && ls *.ts",
      "printf 'a b\\nc' | xargs -n 1 echo",
      "! grep -q x README.md && echo yes",
      "command -v ls",
    ]) {
      const bash = spawnSync("/bin/bash", ["-c", text], { cwd: workspace, encoding: "utf8" });
      expect(await execute(text), text).toBe(bash.stdout);
    }
  });

  function snapshot(): string[] {
    return readdirSync(root, { recursive: true, encoding: "utf8" })
      .sort()
      .map((path) => `${path} ${lstatSync(join(root, path)).mtimeMs}`);
  }

  function write(path: string, content: string, mode = 0o644): void {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), content, { mode });
  }

  function git(...args: string[]): void {
    spawnSync("git", args, { cwd: workspace });
  }

  /** The smallest runner that satisfies the contract; refusals return their reason as output. */
  async function execute(text: string): Promise<string> {
    const policy = createCommandPolicy({
      allow: [...defaultAllowList(), "git add", "git commit"],
      checkPath: followingLinks(lexicalPathCheck(workspace)),
    });
    const { verdict, plan, reason } = decideCommand(text, policy);
    if (verdict !== "allow" || plan === undefined) return reason;
    let output = "";
    let cwd = ".";
    let status = 0;
    for (const step of plan.steps) {
      if ((step.joiner === "&&" && status !== 0) || (step.joiner === "||" && status === 0)) continue;
      const list = async (path: string) => listDirectory(resolve(workspace, cwd, path));
      const { decision, commands } = await prepareStep(step, { policy, cwd, list });
      if (decision.verdict !== "allow") return output + decision.reason;
      let piped: string | undefined;
      for (const command of commands) {
        if (command.kind === "cd") {
          cwd = join(cwd, command.argv[1] ?? ".");
          continue;
        }
        const batches =
          command.kind === "xargs" ? planXargs(command.argv, { text: piped ?? "", policy, cwd }) : [];
        const refused = batches.find((batch) => batch.decision.verdict !== "allow");
        if (refused !== undefined) return output + refused.decision.reason;
        const runs = command.kind === "xargs" ? batches.map(({ argv }) => ({ ...command, argv })) : [command];
        const results = runs.map((run) => start(run, piped, cwd));
        status = results.at(-1)?.status ?? 0;
        piped = results.map((result) => result.stdout).join("");
      }
      if (step.negated) status = status === 0 ? 1 : 0;
      output += piped ?? "";
    }
    return output;
  }

  // Without a pipe there is no input at all: rg would search that instead of the folder.
  function start(command: PreparedCommand, input: string | undefined, cwd: string) {
    const env = { PATH: "/usr/bin:/bin", HOME: "/nonexistent", ...command.environment };
    const [program = "", ...args] = command.argv;
    const options = { cwd: join(workspace, cwd), env, encoding: "utf8" } as const;
    if (input === undefined)
      return spawnSync(program, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
    return spawnSync(program, args, { ...options, input });
  }

  function followingLinks(check: PathCheck): PathCheck {
    return (path, cwd) => {
      const full = resolve(workspace, cwd, path);
      const verdict = check(path, cwd);
      return verdict === "inside" && existsSync(full) ? check(realpathSync(full), ".") : verdict;
    };
  }
});

function listDirectory(path: string) {
  if (!existsSync(path)) return [];
  return readdirSync(path, { withFileTypes: true }).map((entry) => ({
    name: entry.name,
    isDirectory: entry.isDirectory(),
  }));
}

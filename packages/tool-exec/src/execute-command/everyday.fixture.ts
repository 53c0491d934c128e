import { execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ApprovalRequest } from "@haft/core";
import { type ExecWorld, openExecWorld } from "../exec.fixture.js";
import { ExecuteCommand } from "./execute-command-tool.js";

export interface EverydayWorld extends AsyncDisposable {
  readonly world: ExecWorld;
  /** The approval requests since the last reset. */
  readonly asked: readonly ApprovalRequest[];
  /** Restores the project. */
  reset(): void;
}

/** Returns the commands of a corpus by kind. */
export function readCorpus(name: string): Readonly<Record<string, readonly string[]>> {
  return JSON.parse(readFileSync(new URL(`../command-policy/corpus/${name}`, import.meta.url), "utf8"));
}

/** Opens a small project with a history, and an approver that approves. Toolchains are stand-ins on the PATH. */
export async function openEverydayWorld(
  approves: (request: ApprovalRequest) => boolean = () => true,
): Promise<EverydayWorld> {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "haft-everyday-")));
  const programs = join(place, "programs");
  for (const name of ["cargo", "go", "pytest"]) put(programs, name, STAND_IN, 0o755);
  const template = join(place, "template");
  for (const [path, content] of Object.entries(PROJECT)) put(template, path, content, modeOf(path));
  for (const name of ["vitest", "tsc", "eslint", "prettier", "jest"])
    put(template, `node_modules/.bin/${name}`, STAND_IN, 0o755);
  makeHistory(template);
  const asked: ApprovalRequest[] = [];
  const approver = async (request: ApprovalRequest) => {
    asked.push(request);
    return { approved: approves(request) };
  };
  const home = join(place, "home");
  put(home, ".gitconfig", "[user]\n\tname = T\n\temail = t@example.com\n");
  const env = { PATH: `${programs}:${process.env.PATH}`, HOME: home };
  const world = await openExecWorld(PROJECT, {
    tools: [ExecuteCommand],
    approver,
    env,
    commands: { onUnlisted: "box" },
  });
  return {
    world,
    asked,
    reset: () => {
      asked.length = 0;
      for (const name of readdirSync(world.workspace))
        rmSync(join(world.workspace, name), { recursive: true, force: true });
      cpSync(template, world.workspace, {
        recursive: true,
        preserveTimestamps: true,
        verbatimSymlinks: true,
      });
    },
    [Symbol.asyncDispose]: async () => {
      await world[Symbol.asyncDispose]();
      rmSync(place, { recursive: true, force: true });
    },
  };
}

/** Succeeds, and writes the output of a build. */
const STAND_IN =
  '#!/bin/sh\necho "ok $*"\ncase "$*" in *build*) mkdir -p target && echo x > target/out;; esac\nexit 0\n';

const PROJECT: Readonly<Record<string, string>> = {
  "README.md": "# Fixture\n\nTODO: more\nlast\n",
  "data.json": '{"name":"everyday"}\n',
  "package.json": JSON.stringify({
    name: "everyday",
    scripts: {
      test: "echo ok",
      build: "echo built",
      lint: "echo linted",
      codegen: "echo generated > gen.txt",
    },
  }),
  "tsconfig.json": "{}\n",
  Makefile: "build:\n\t@echo built\ntest:\n\t@echo tested\nlint:\n\t@echo linted\nclean:\n\t@rm -rf target\n",
  "main.go": "package main\n",
  "script.js": "console.log('hi')\n",
  "script.py": "print('hi')\n",
  "scripts/check.sh": "#!/bin/sh\necho checked\n",
  "src/a.ts": "export const one = 1;\n",
  "src/b.ts": "export const two = 2;\n",
  "old/x.txt": "old\n",
  "tests/test_calc.py":
    "import unittest\n\n\nclass T(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(1 + 1, 2)\n",
  "tests/a.test.js": "require('node:test').test('a', () => {})\n",
  ".gitignore": "node_modules\ntarget\n",
};

function modeOf(path: string): number {
  return path.endsWith(".sh") ? 0o755 : 0o644;
}

function put(root: string, path: string, content: string, mode = 0o644): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content, { mode });
}

/** Creates two commits, a branch beside them, and a file that was changed since. */
function makeHistory(root: string): void {
  const env = { PATH: process.env.PATH, HOME: root, GIT_CONFIG_NOSYSTEM: "1" };
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.com", ...args], { cwd: root, env });
  git("init", "-q", "-b", "main");
  git("add", "README.md");
  git("commit", "-qm", "First");
  git("add", ".");
  git("commit", "-qm", "Second");
  git("branch", "side");
  put(root, "src/a.ts", "export const one = 11;\n");
}

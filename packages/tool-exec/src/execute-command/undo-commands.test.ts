import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ExecWorld, openExecWorld } from "../exec.fixture.js";
import { readCorpus } from "./everyday.fixture.js";
import { ExecuteCommand } from "./execute-command-tool.js";
import { openTestRegistry, type TestRegistry } from "./npm-registry.fixture.js";
import { makeMixedProject, resetTo, treeOf } from "./undo-commands.fixture.js";

const noBox = process.platform !== "linux" || !existsSync("/usr/bin/bwrap");
const families = readCorpus("undoable.json");
const all = Object.values(families).flat();

// All of them with HAFT_UNDO_ALL=1; every ninth in each run of the suite.
const EVERY = process.env.HAFT_UNDO_ALL === "1" ? 1 : 9;
const chosen = new Set(all.filter((_, index) => index % EVERY === 0));

let registry: TestRegistry;
let world: ExecWorld;
let template: string;
const changed: string[] = [];

beforeAll(async () => {
  registry = await openTestRegistry({
    tiny: {
      "package.json": '{"name":"tiny","version":"1.0.0","bin":{"tiny":"tiny.js"}}',
      "tiny.js": "#!/usr/bin/env node\nconsole.log('tiny runs')\n",
    },
  });
  world = await openExecWorld(
    { ".gitignore": "node_modules\ntarget\n", ".git/HEAD": "ref: refs/heads/main\n" },
    {
      tools: [ExecuteCommand],
      approver: async () => ({ approved: true }),
      env: { PATH: process.env.PATH, HOME: homeFor(registry) },
      commands: { onUnlisted: "box" },
    },
  );
  template = join(world.root, "template");
  mkdirSync(template);
  makeMixedProject(template);
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.com", ...args], { cwd: template });
  git("init", "-q", "-b", "main");
  git("add", ".");
  git("commit", "-qm", "First");
}, 60_000);

afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await registry[Symbol.asyncDispose]();
}, 60_000);

function homeFor({ url }: TestRegistry): string {
  const home = join("/tmp", `haft-home-${process.pid}-${Math.random().toString(36).slice(2)}`);
  mkdirSync(home);
  writeFileSync(join(home, ".npmrc"), `registry=${url}\n`);
  return home;
}

describe.skipIf(noBox)("undo of changes made by commands", () => {
  it.each(Object.keys(families))(
    "FE20 %s: the tree is byte-identical after undo, with modes, links and empty folders",
    async (family) => {
      for (const command of families[family] ?? []) if (chosen.has(command)) await checkUndo(command);
    },
    600_000,
  );

  it("works for at least 200 commands, nearly all of which change something", () => {
    expect(all.length).toBeGreaterThanOrEqual(200);
    expect(changed.length / chosen.size, `changed: ${changed.join("\n")}`).toBeGreaterThan(0.8);
  });
});

async function checkUndo(command: string): Promise<void> {
  resetTo(template, world.workspace);
  const before = treeOf(world.workspace);
  const result = await world.call("execute_command", { command, timeout: 60 });
  expect(result.ok, `${command}\n${result.text}`).toBe(true);
  const after = treeOf(world.workspace);
  if (JSON.stringify(after) === JSON.stringify(before)) return;
  changed.push(command);
  await world.runtime.undo();
  expect(treeOf(world.workspace), command).toEqual(before);
}

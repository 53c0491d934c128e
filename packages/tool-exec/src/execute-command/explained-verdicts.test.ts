import { existsSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Explanation, ToolResult } from "@haft/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EverydayWorld, openEverydayWorld, readCorpus } from "./everyday.fixture.js";

const noBox = process.platform !== "linux" || !existsSync("/usr/bin/bwrap");
let project: EverydayWorld;

beforeAll(async () => {
  // Commands that prompt before they run need not run.
  project = await openEverydayWorld(({ changes }) => changes.length > 0);
}, 60_000);
afterAll(() => project[Symbol.asyncDispose](), 60_000);

/** Every kind of verdict: everyday commands, attacks, and commands that need network or are forbidden. */
const COMMANDS = [
  ...Object.values(readCorpus("everyday.json")).flatMap((commands) =>
    commands.filter((_, at) => at % 2 === 0),
  ),
  ...Object.values(readCorpus("benign.json")).flatMap((commands) => commands.filter((_, at) => at % 4 === 0)),
  ...Object.values(readCorpus("bypass.json")).flatMap((commands) => commands.filter((_, at) => at % 2 === 0)),
  ...[
    "sudo ls",
    "mount /dev/sda1 /mnt",
    "rm -rf /etc",
    "rm -rf ~",
    "cat .env",
    "cat ../../etc/passwd",
    "mkfs.ext4 x",
  ],
  ...[
    "npm install left-pad",
    "npm view left-pad",
    "npx -y cowsay",
    "curl https://example.com/",
    "pip install x",
  ],
  ...[
    "curl http://169.254.169.254/",
    "git fetch",
    "git push",
    "git clone https://example.com/x.git",
    "cargo update",
  ],
  ...["", "(", "echo 'unterminated", "a\u202eb", "x".repeat(70_000)],
];

describe.skipIf(noBox)("FE9 explaining a command", () => {
  it("gives the call's own verdict for 300 commands, and starts none of them", async () => {
    const all = [...new Set(COMMANDS)];
    expect(all.length).toBeGreaterThanOrEqual(300);
    const different: string[] = [];
    for (const command of all.filter((_, at) => at % EVERY === 0)) {
      project.reset();
      const before = snapshot();
      const args = { command, timeout: 2 };
      const explained = await project.world.runtime.explain("execute_command", args);
      expect(project.asked, command).toEqual([]);
      expect(snapshot(), command).toEqual(before);
      const met = verdictOf(await project.world.call("execute_command", args));
      const expected = EXPECTED[explained.effect];
      if (!expected.includes(met)) different.push(`${command.slice(0, 80)}: ${explained.effect}, but ${met}`);
    }
    expect(different).toEqual([]);
  }, 900_000);
});

/** CI makes every eighth call; HAFT_EXPLAINED=1 makes all of them, which takes minutes. */
const EVERY = process.env.HAFT_EXPLAINED === "1" ? 1 : 8;

/** A command in the box may prompt afterwards, when it has changed files. */
const EXPECTED: Readonly<Record<Explanation["effect"], readonly string[]>> = {
  allow: ["ran"],
  box: ["ran", "asked about its changes"],
  ask: ["asked first"],
  deny: ["refused"],
};

function verdictOf(result: ToolResult): string {
  const [first] = project.asked;
  if (first !== undefined) return first.changes.length === 0 ? "asked first" : "asked about its changes";
  const isRefused = !result.ok && REFUSALS.has(result.error.code);
  return isRefused ? "refused" : "ran";
}

const REFUSALS: ReadonlySet<string> = new Set(["COMMAND_DENIED", "INVALID_ARGUMENTS", "POLICY_DENIED"]);

function snapshot(): string[] {
  const { workspace } = project.world;
  return readdirSync(workspace, { recursive: true, encoding: "utf8" })
    .sort()
    .map((path) => `${path} ${lstatSync(join(workspace, path)).mtimeMs}`);
}

import { execFileSync } from "node:child_process";
import { linkSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { PolicyRule } from "@haft/core";
import { describe, expect, it } from "vitest";
import { openExecWorld } from "./exec.fixture.js";
import { ExecuteCommand } from "./execute-command/execute-command-tool.js";
import { RunCode } from "./run-code/run-code-tool.js";

const CANARY = "CANARY-5d1";
const files = {
  "private/plan.txt": `${CANARY}\n`,
  "private/deep/more.txt": `${CANARY}\n`,
  "notes.private": `${CANARY}\n`,
  "docs/a.md": "readable\n",
};
const DENY: PolicyRule = { effect: "deny", when: { path: ["private/**", "*.private"] } };

function openWorld(rules: readonly PolicyRule[], options: object = {}) {
  return openExecWorld(files, {
    tools: [RunCode, ExecuteCommand],
    approver: async () => ({ approved: true }),
    env: { PATH: process.env.PATH, HOME: process.env.HOME },
    rules,
    ...options,
  });
}

const PYTHON = [
  "import os",
  "for folder, _, names in os.walk('.'):",
  "    for name in names:",
  "        try: print(open(os.path.join(folder, name)).read())",
  "        except OSError as error: print(error.strerror)",
].join("\n");

const attempts: readonly [string, string, object][] = [
  ["cat", "execute_command", { command: "cat private/plan.txt notes.private docs/a.md" }],
  ["grep -r", "execute_command", { command: "grep -rh '' . ; cat docs/a.md" }],
  ["a link", "execute_command", { command: "cat link docs/a.md" }],
  ["a hard link", "execute_command", { command: "cat twin docs/a.md" }],
  ["tar", "run_code", { language: "bash", code: "tar c . | cat; cat docs/a.md" }],
  ["Python", "run_code", { language: "python", code: PYTHON }],
  ["bash", "run_code", { language: "bash", code: "cat private/* private/*/* *.private docs/a.md" }],
];

describe("FE13 files that a rule denies, in the box", () => {
  it.each<[string, PolicyRule]>([
    ["everybody", DENY],
    ["whoever reads", { ...DENY, permission: "ReadFiles" }],
  ])("cannot be read by any program, denied to %s", async (_who, rule) => {
    await using world = await openWorld([rule]);
    symlinkSync("private/plan.txt", join(world.workspace, "link"));
    linkSync(join(world.workspace, "private/plan.txt"), join(world.workspace, "twin"));
    for (const [name, tool, args] of attempts) {
      const result = await world.call(tool, args);
      expect(JSON.stringify(result), name).not.toContain(CANARY);
      expect(result.text, name).toContain("readable");
    }
    expect(readFileSync(join(world.workspace, "private/plan.txt"), "utf8")).toContain(CANARY);
  });

  it("only docs/** exists if everything else is denied", async () => {
    await using world = await openWorld([{ effect: "deny", when: { path: { not: "docs/**" } } }]);
    const result = await world.call("run_code", { language: "python", code: PYTHON });
    expect(result.text).toContain("readable");
    expect(JSON.stringify(result)).not.toContain(CANARY);
  });

  it("can be read if a rule denies only writing, or concerns another tool", async () => {
    const when = { path: "private/**" };
    await using world = await openWorld([
      { effect: "deny", permission: "WriteFiles", when },
      { effect: "deny", tool: "run_code", when },
    ]);
    expect((await world.call("execute_command", { command: "cat private/plan.txt" })).text).toContain(CANARY);
    const code = await world.call("run_code", { language: "bash", code: "cat private/plan.txt" });
    expect(JSON.stringify(code)).not.toContain(CANARY);
  });

  it("cannot be read through git either if they were committed", async () => {
    await using world = await openWorld([DENY]);
    const git = (...args: string[]) => execFileSync("git", args, { cwd: world.workspace });
    git("init", "-q");
    git("add", "-A");
    git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "one");
    for (const command of ["git show HEAD:private/plan.txt", "git log -p", "git grep CANARY HEAD"])
      expect(JSON.stringify(await world.call("execute_command", { command })), command).not.toContain(CANARY);
  });

  it("prevent commands from running without a box", async () => {
    await using world = await openWorld([DENY], { sandbox: { tier: "unconfined" } });
    const result = await world.call("execute_command", { command: "cat private/plan.txt" });
    expect(result).toMatchObject({ ok: false, error: { code: "SANDBOX_UNAVAILABLE" } });
    expect(JSON.stringify(result)).not.toContain(CANARY);
  });
});

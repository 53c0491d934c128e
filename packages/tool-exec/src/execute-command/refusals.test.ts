import { existsSync } from "node:fs";
import type { ToolFailure } from "@haft/core";
import { describe, expect, it } from "vitest";
import { openExecWorld } from "../exec.fixture.js";
import { RunCode } from "../run-code/run-code-tool.js";
import { ExecuteCommand } from "./execute-command-tool.js";

const approver = async () => ({ approved: true });
const noBox = process.platform !== "linux" || !existsSync("/usr/bin/bwrap");

describe("the error of a rejected command", () => {
  it("FE20 names the setting for a person", async () => {
    await using own = await openExecWorld({}, { tools: [ExecuteCommand], approver });
    const refusal = async (command: string) =>
      ((await own.call("execute_command", { command })) as ToolFailure).text;
    expect(await refusal("make")).toContain("`make` is not on the allow list");
    expect(await refusal("make")).toContain('add "make" to commands.allow in haft.config.json');
    expect(await refusal("git bisect start")).toContain('add "git bisect" to commands.allow');
    for (const command of ["make", "sed -i s/a/b/ x", "for f in *; do rm $f; done", "ls $("])
      expect(await refusal(command), command).toContain('set commands.onUnlisted to "box" or "ask"');
    expect(await refusal("sudo ls")).not.toContain("commands.onUnlisted");
    expect(await refusal("cat /etc/passwd")).toContain("Instead: use a path inside the workspace.");
  });

  it("FE20 names the whole command if a program runs only as listed and listing it helps", async () => {
    const refusal = async (command: string, ...allow: string[]) => {
      await using own = await openExecWorld(
        { Makefile: "ship:\n\techo fine\n" },
        { tools: [ExecuteCommand], commands: { allow } },
      );
      const result = await own.call("execute_command", { command });
      return result.text;
    };
    for (const allowed of [[], ["make"]])
      expect(await refusal("make ship", ...allowed)).toContain('add "make ship" to commands.allow');
    expect(await refusal("cargo test --all")).toContain('add "cargo test --all" to commands.allow');
    expect(await refusal("bash -c 'rm x'")).not.toContain("commands.allow");
    expect(await refusal("make ship", "make ship")).toContain("fine");
  });

  it("FE20 reports a missing approver if that is the reason", async () => {
    await using own = await openExecWorld({}, { tools: [ExecuteCommand], commands: { onUnlisted: "box" } });
    const { text } = (await own.call("execute_command", { command: "make" })) as ToolFailure;
    expect(text).toContain("attach an approver");
  });

  it("FE20 suggests only tools of the role", async () => {
    const refusal = async (tools: readonly (typeof ExecuteCommand | typeof RunCode)[]) => {
      await using own = await openExecWorld({}, { tools });
      return ((await own.call("execute_command", { command: "python3 x.py" })) as ToolFailure).text;
    };
    expect(await refusal([ExecuteCommand, RunCode])).toContain("Instead: run_code");
    expect(await refusal([ExecuteCommand])).not.toContain("run_code");
  });
});

describe.skipIf(noBox)("the explanation of a call", () => {
  it.each([
    ["touch made; rm a.txt", "box"],
    ["for f in *; do cat $f; done", "box"],
    ["ls -la", "allow"],
    ["npm test", "allow"],
    ["cat .env", "deny"],
    ["sudo ls", "deny"],
    ["rm -rf /", "deny"],
  ])("FE20 %s is %s, and nothing is started", async (command, effect) => {
    await using own = await openExecWorld(
      { "a.txt": "one\n", ".env": "A=1" },
      { tools: [ExecuteCommand], approver, commands: { onUnlisted: "box" } },
    );
    const explained = await own.runtime.explain("execute_command", { command });
    expect(explained.effect).toBe(effect);
    if (effect === "box")
      expect(JSON.stringify(explained.steps)).toContain("runs in the box; asks if it changes existing files");
    expect(existsSync(`${own.workspace}/a.txt`)).toBe(true);
    expect(existsSync(`${own.workspace}/made`)).toBe(false);
    expect(existsSync(`${own.root}/state/sandbox`)).toBe(false);
  });
});

import { spawnSync } from "node:child_process";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defaultAllowList } from "../command-policy/default-allow-list.js";
import { type ExecWorld, openExecWorld } from "../exec.fixture.js";
import { ExecuteCommand } from "./execute-command-tool.js";

// A verdict alone proves nothing: every attack is really attempted, with the tool that a model would use.
const CANARY = "CANARY-2b7";
let world: ExecWorld;

beforeAll(async () => {
  const allow = defaultAllowList(["test", "lint", "build", "typecheck"]).filter(
    (rule) => typeof rule === "string",
  );
  world = await openExecWorld(
    {
      "README.md": "# Fixture\n",
      "src/a.ts": "a\n",
      "src/index.ts": "i\n",
      ".env": `KEY=${CANARY}\n`,
      "src/.env.local": CANARY,
      "data.txt": "b\na\n",
    },
    { tools: [ExecuteCommand], commands: { allow: [...allow, "git add", "git commit", "npx tsc"] } },
  );
  world.write("p.sh", `#!/bin/sh\ntouch ${world.root}/PWNED\ncat\n`, 0o755);
  spawnSync("git", ["init", "-q"], { cwd: world.workspace });
});
afterAll(() => world[Symbol.asyncDispose]());

describe.skipIf(process.platform !== "linux")("the corpus of attacks, through execute_command", () => {
  it("D30 S4.005.b leaves no trace, shows no secret, and names the part it objects to", async () => {
    const file = new URL("../command-policy/corpus/bypass.json", import.meta.url);
    const corpus = JSON.parse(readFileSync(file, "utf8")) as Record<string, string[]>;
    const before = snapshot();
    for (const attack of Object.values(corpus).flat()) {
      const command = attack.replaceAll("/work/ws", () => world.workspace);
      const result = await world.call("execute_command", { command, timeout: 10 });
      expect(JSON.stringify(result), attack).not.toContain(CANARY);
      if (!result.ok)
        expect(["COMMAND_DENIED", "APPROVAL_REQUIRED", "INVALID_ARGUMENTS"], attack).toContain(
          result.error.code,
        );
    }
    expect(snapshot()).toEqual(before);
  }, 60_000);
});

function snapshot(): string[] {
  return readdirSync(world.root, { recursive: true, encoding: "utf8" })
    .filter((path) => !/^state(?:\/|$)/.test(path))
    .sort()
    .map((path) => `${path} ${lstatSync(join(world.root, path)).mtimeMs}`);
}

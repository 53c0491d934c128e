import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ExecWorld, openExecWorld } from "../exec.fixture.js";
import { ExecuteCommand } from "../execute-command/execute-command-tool.js";
import { Process } from "../process/process-tool.js";
import { RunCode } from "../run-code/run-code-tool.js";

const TOKEN = "t0k3n-in-url";
const KEPT = "CANARY-in-env-file";
const ADDRESS = `https://me:${TOKEN}@git.example/x.git`;
let world: ExecWorld;

beforeEach(async () => {
  world = await openExecWorld(
    {
      ".env": `API_KEY=${KEPT}\n`,
      "test.js": `console.log("CANARY-in-env" + "-file", "${ADDRESS}".slice());
        if (process.argv[2] === "long") for (let i = 0; i < 9000; i++) console.log(i, "${ADDRESS}", "${KEPT}");`,
      "package.json": JSON.stringify({ scripts: { test: "node test.js", long: "node test.js long" } }),
    },
    { tools: [ExecuteCommand, Process, RunCode] },
  );
  execFileSync("git", ["init", "-q"], { cwd: world.workspace });
  execFileSync("git", ["remote", "add", "origin", ADDRESS], { cwd: world.workspace });
});
afterEach(() => world[Symbol.asyncDispose]());

const nowhere = (shown: unknown) => {
  expect(JSON.stringify(shown)).not.toContain(TOKEN);
  expect(JSON.stringify(shown)).not.toContain(KEPT);
};

describe.skipIf(process.platform !== "linux")("P9 S4.005.c printed output", () => {
  it("FA10 redacts credentials of published shapes and of the host's own", async () => {
    const script = `console.log("glpat-" + "a1".repeat(10), "dop_v1_" + "0f".repeat(32), "acme_" + "k9".repeat(16))`;
    const files = {
      "test.js": script,
      "package.json": JSON.stringify({ scripts: { test: "node test.js" } }),
    };
    const secretShapes = [{ name: "acme", prefix: "acme_", minLength: 32 }];
    await using own = await openExecWorld(files, { tools: [ExecuteCommand], secretShapes });
    const result = await own.call("execute_command", { command: "npm test --silent" });
    expect(result.text).toContain("[secret:gitlab] [secret:digitalocean] [secret:acme]");
  });

  it("contains no password of an address: git remote -v", async () => {
    const result = await world.call("execute_command", { command: "git remote -v" });
    nowhere(result);
    expect(result.text).toContain("https://[secret:url]@git.example/x.git (fetch)");
    nowhere(await world.call("execute_command", { command: "git remote get-url origin" }));
  });

  it("contains no value of a sensitive file, in the result or in the log of a long output", async () => {
    const short = await world.call("execute_command", { command: "npm test --silent" });
    nowhere(short);
    expect(short.text).toContain("[secret:.env] https://[secret:url]@git.example");
    const long = await world.call("execute_command", { command: "npm run long" });
    nowhere(long);
    const logs = join(world.root, "state/output");
    const [log] = readdirSync(logs);
    expect(log).toBeDefined();
    const logged = readFileSync(join(logs, log ?? ""), "utf8");
    expect(logged).toContain("[secret:url]");
    nowhere(logged);
  });

  it("nor while a command runs in the background", async () => {
    const started = await world.call("execute_command", { command: "npm test --silent", background: true });
    expect(started.ok, started.text).toBe(true);
    await delay(50);
    const read = await world.call("process", { action: "wait", id: "p1", wait_ms: 20_000 });
    nowhere(read);
    expect(read.text).toContain("[secret:url]");
  });

  it.skipIf(!existsSync("/usr/bin/bwrap"))("nor what code prints", async () => {
    const code = `print("CANARY-in-" + "env-file", "https://me:" + "${TOKEN.slice(0, 4)}" + "${TOKEN.slice(4)}@h/x")`;
    const result = await world.call("run_code", { language: "python", code });
    expect(result.text).toContain("[secret:.env] https://[secret:url]@h/x");
    nowhere(result);
  });

  it("nor in an error with the output up to a time limit", async () => {
    world.write("package.json", JSON.stringify({ scripts: { test: "node test.js && sleep 60" } }));
    const result = await world.call("execute_command", { command: "npm test --silent", timeout: 3 });
    expect(result).toMatchObject({ ok: false, error: { code: "TIMEOUT" } });
    nowhere(result);
  });
});

import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ApprovalRequest, ToolSuccess } from "@haft/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openExecWorld } from "../exec.fixture.js";
import type { ExecuteCommandResult } from "./execute-command-schema.js";
import { ExecuteCommand } from "./execute-command-tool.js";

const tools = [ExecuteCommand];
const noBox = process.platform !== "linux" || !existsSync("/usr/bin/bwrap");
const CANARY = "CANARY-77f1";
let home: string;
let port: number;
let hits = 0;
const server = createServer((_request, response) => {
  hits += 1;
  response.end(CANARY);
});

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "haft-home-"));
  mkdirSync(join(home, ".aws"));
  writeFileSync(join(home, ".aws/credentials"), CANARY);
  writeFileSync(join(home, "notes.txt"), CANARY);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.close();
  rmSync(home, { recursive: true, force: true });
});

const env = () => ({ PATH: process.env.PATH, HOME: home, MY_API_KEY: CANARY, HARMLESS: CANARY });

/** A test file of the project that tries to escape. */
const hostile = () => `
const { test } = require("node:test");
const fs = require("node:fs");
const http = require("node:http");
test("x", async () => {
  for (const file of [process.env.HOME + "/.aws/credentials", "${home}/notes.txt", "../secret", "/proc/1/environ"])
    try { console.log(fs.readFileSync(file, "latin1")); } catch {}
  console.log(JSON.stringify(process.env), fs.readdirSync("${home}").join());
  await new Promise((done) => http.get("http://127.0.0.1:${port}/", (r) => r.on("data", (d) => console.log(String(d))).on("end", done)).on("error", done));
  try { fs.writeFileSync("${home}/planted", "x"); } catch {}
  try { process.kill(process.ppid === 1 ? 1 : ${process.pid}, 0) && console.log("SEES HOST"); } catch {}
});
`;

describe.skipIf(noBox)("commands in the box", () => {
  it.each(["node --test", "npm test", "npm run check"])(
    "FE2 %s reads nothing outside, finds no secret and reaches no host",
    async (command) => {
      const scripts = { test: "node --test", check: "node a.test.js" };
      const files = {
        "a.test.js": hostile(),
        "package.json": JSON.stringify({ scripts }),
        "../secret": CANARY,
      };
      await using own = await openExecWorld(files, { tools, env: env() });
      const result = await own.call("execute_command", { command, timeout: 60 });
      expect(result).toMatchObject({ ok: true });
      expect(JSON.stringify(result)).not.toContain(CANARY);
      expect(result.text).not.toContain("SEES HOST");
      expect(hits).toBe(0);
      expect(existsSync(join(home, "planted"))).toBe(false);
    },
    60_000,
  );

  describe("FE19 the box hides everything outside", () => {
    it.each([
      "find -L . -name '*.key'",
      "ls -LR",
      "du -aL",
      "diff -rqs . out",
      "test out/secret -nt a.txt; echo $?",
      "stat -L out/secret",
      "wc -c out/*",
    ])("%s reveals nothing about files outside", async (command) => {
      const approver = async () => ({ approved: true });
      await using own = await openExecWorld(
        { "a.txt": "a" },
        { tools, approver, env: env(), commands: { onUnlisted: "box" } },
      );
      const outside = join(own.root, "outside");
      mkdirSync(outside);
      writeFileSync(join(outside, "CANARY-name.key"), CANARY);
      symlinkSync(outside, join(own.workspace, "out"));
      const result = await own.call("execute_command", { command });
      expect(JSON.stringify(result)).not.toContain("CANARY-");
    });
  });

  it("FE20 everyday commands run with an approver, under a real shell, with at most one question each", async () => {
    const asked: ApprovalRequest[] = [];
    const approver = async (request: ApprovalRequest) => {
      asked.push(request);
      return { approved: true };
    };
    await using own = await openExecWorld(
      {
        "a.txt": "one\ntwo\n",
        "x.js": "console.log('ran ' + process.argv[2])\n",
        Makefile: "all:\n\t@echo made > out.txt\n",
      },
      { tools, approver, commands: { onUnlisted: "box" } },
    );
    const run = async (command: string) => {
      asked.length = 0;
      const result = await own.call("execute_command", { command, timeout: 60 });
      if (!result.ok) throw new Error(`${command}: ${result.text}`);
      return { ...(result as ToolSuccess<ExecuteCommandResult>).value, asked: asked.length };
    };
    expect(await run("node x.js here")).toMatchObject({ stdout: "ran here\n", asked: 0 });
    expect(await run("make")).toMatchObject({ exitCode: 0, asked: 0 });
    expect(readFileSync(join(own.workspace, "out.txt"), "utf8")).toBe("made\n");
    expect(await run("for i in 1 2 3; do echo $((i * 2)); done")).toMatchObject({
      stdout: "2\n4\n6\n",
      asked: 0,
    });
    expect(await run("cat <<'E' > n.txt\nhello $HOME\nE")).toMatchObject({ exitCode: 0, asked: 0 });
    expect(readFileSync(join(own.workspace, "n.txt"), "utf8")).toBe("hello $HOME\n");
    expect(await run("sed -i s/one/1/ a.txt")).toMatchObject({ exitCode: 0, asked: 1 });
    expect(await run("x=$(wc -l < a.txt); echo lines: $x | tee -a log.txt")).toMatchObject({
      stdout: "lines: 2\n",
    });
    expect(await run("mkdir -p deep/er && touch deep/er/f && find deep -type f | sort")).toMatchObject({
      stdout: "deep/er/f\n",
      asked: 0,
    });
    expect(await run("python3 - <<'E'\nprint(6 * 7)\nE")).toMatchObject({ stdout: "42\n", asked: 0 });
    expect(await run("rm -rf deep")).toMatchObject({ exitCode: 0, asked: 1 });
  }, 60_000);

  it("shares ignored folders with listed commands, with a note", async () => {
    const files = {
      ".gitignore": "dist/\nsecret-out/\n",
      "dist/old": "old",
      "secret-out/.env": "KEY=1",
      "build.js":
        "const fs = require('fs'); fs.writeFileSync('dist/new', 'n'); fs.writeFileSync('secret-out/x', 'x'); fs.writeFileSync('made', 'm');",
      "package.json": JSON.stringify({ scripts: { build: "node build.js" } }),
    };
    await using own = await openExecWorld(files, { tools, approver: async () => ({ approved: true }) });
    spawnSync("git", ["init", "-q"], { cwd: own.workspace });
    await using again = await openExecWorld({}, { tools, workspace: own.workspace });
    const result = await again.call("execute_command", { command: "npm run build", timeout: 60 });
    expect(result).toMatchObject({ ok: true, value: { exitCode: 0, passedThrough: ["dist"] } });
    expect(result.text).toContain("not covered by undo: dist");
    expect((result as ToolSuccess).changes.map(({ path }) => path).sort()).toEqual(["made", "secret-out/x"]);
    expect(readFileSync(join(own.workspace, "dist/new"), "utf8")).toBe("n");
  }, 60_000);
});

import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { ToolSuccess } from "@haft/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ExecWorld, openExecWorld } from "../exec.fixture.js";
import { ExecuteCommand } from "../execute-command/execute-command-tool.js";
import type { RunCodeResult } from "./run-code-schema.js";
import { RunCode } from "./run-code-tool.js";

const files = {
  "a.txt": "one\n",
  "b.txt": "two\n",
  "sub/c.txt": "three\n",
  "sub/d.txt": "four\n",
  "old/deep/e.txt": "five\n",
  ".env": "KEY=1\n",
};
const tools = [RunCode, ExecuteCommand];
/** It needs a shell, and one of the files asks. */
const CHANGING =
  "x=CANARY-in-env; echo printed $x-file; echo wrong >&2; echo mine > package.json; echo mine > a.txt";
let world: ExecWorld;

beforeEach(async () => {
  world = await openExecWorld(files, { tools, approver: async () => ({ approved: true }) });
});
afterEach(() => world[Symbol.asyncDispose]());

const at = (path: string) => join(world.workspace, path);
const text = (path: string) => readFileSync(at(path), "utf8");

async function bash(code: string, more: object = {}): Promise<ToolSuccess<RunCodeResult>> {
  const result = await world.call("run_code", { language: "bash", code, timeout: 20, ...more });
  if (!result.ok) throw new Error(result.text);
  return result as ToolSuccess<RunCodeResult>;
}

describe.skipIf(process.platform !== "linux" || !existsSync("/usr/bin/bwrap"))(
  "what run_code changes",
  () => {
    it.each(["package.json", "sub/Makefile"])(
      "FE1 S4.005 %s is not applied without a prompt: it defines what runs outside the sandbox",
      async (path) => {
        await using own = await openExecWorld(files, { tools });
        const code = `echo '{"scripts":{"test":"touch /tmp/escaped"}}' > ${path}; echo n > new.txt; echo printed`;
        const result = await own.call("run_code", { language: "bash", code, timeout: 20 });
        const notApplied = [path, "new.txt"].sort().map((each) => ({ kind: "create", path: each }));
        expect(result).toMatchObject({
          ok: true,
          changes: [],
          value: { stdout: "printed\n", filesChanged: [] },
        });
        expect((result as ToolSuccess<RunCodeResult>).value.notApplied).toEqual(
          expect.arrayContaining(notApplied),
        );
        expect(result.warnings.join("\n")).toContain("no approver is attached");
        for (const each of [path, "new.txt"]) expect(existsSync(join(own.workspace, each))).toBe(false);
      },
    );

    it("S3.RUN is shown, journalled and undone completely, for every kind of change", async () => {
      symlinkSync("a.txt", at("link"));
      chmodSync(at("b.txt"), 0o755);
      const before = tree();
      const { value, changes, callId } = await bash(`
      echo more >> a.txt; echo new > new.txt; mkdir -p made/deep; printf '\\0\\1' > made/deep/bin
      rm b.txt; rm -rf old; rm -rf sub; mkdir sub; echo fresh > sub/f; ln -s sub/f tofresh
      rm link; echo plain > link; chmod 700 new.txt`);
      expect(value.filesChanged).toEqual([
        "a.txt",
        "b.txt",
        "link",
        "made",
        "made/deep",
        "made/deep/bin",
        "new.txt",
        "old",
        "sub/c.txt",
        "sub/d.txt",
        "sub/f",
        "tofresh",
      ]);
      expect(changes.find(({ path }) => path === "a.txt")).toMatchObject({
        kind: "modify",
        diff: expect.stringContaining("+more"),
      });
      expect(text("a.txt")).toBe("one\nmore\n");
      expect(readdirSync(at("sub"))).toEqual(["f"]);
      expect(readlinkSync(at("tofresh"))).toBe("sub/f");
      expect(lstatSync(at("link")).isFile()).toBe(true);
      expect(statSync(at("new.txt")).mode & 0o777).toBe(0o700);
      const [record] = await world.runtime.changes();
      expect(record).toMatchObject({ callId, tool: "run_code", state: "done" });
      await world.runtime.undo(callId);
      expect(tree()).toEqual(before);
    });

    it("is empty without changes; touching or rewriting equal content is not a change", async () => {
      const { value, changes } = await bash(
        "touch a.txt; cp b.txt x; cat x > b.txt; rm x; chmod 644 a.txt; cat sub/*",
      );
      expect(value.filesChanged).toEqual([]);
      expect(changes).toEqual([]);
      expect(await world.runtime.changes()).toEqual([]);
    });

    it("renames files, and folders with everything in them", async () => {
      const { value } = await bash("mv a.txt renamed.txt; mv old newer; mv sub/c.txt old");
      expect(value.filesChanged).toContain("newer/deep/e.txt");
      expect(text("renamed.txt")).toBe("one\n");
      expect(text("newer/deep/e.txt")).toBe("five\n");
      expect(text("old")).toBe("three\n");
      await world.runtime.undo();
      expect(text("old/deep/e.txt")).toBe("five\n");
    });

    it("of a run that times out or is cancelled is empty", async () => {
      const code = "echo x > a.txt; rm b.txt; sleep 30";
      const late = await world.call("run_code", { language: "bash", code, timeout: 0.7 });
      expect(late).toMatchObject({
        ok: false,
        error: { code: "TIMEOUT", hint: expect.stringContaining("None of its file changes") },
      });
      const cancelling = new AbortController();
      const call = world.call("run_code", { language: "bash", code }, { signal: cancelling.signal });
      await delay(700);
      cancelling.abort();
      expect(await call).toMatchObject({ ok: false, error: { code: "CANCELLED" } });
      expect([text("a.txt"), text("b.txt")]).toEqual(["one\n", "two\n"]);
      expect(await world.runtime.changes()).toEqual([]);
    });

    it("FE21 that is too large to record is reported, and none of it is applied", async () => {
      const { value, warnings } = await bash("echo small > small; head -c 30000000 /dev/zero > big");
      expect(value).toMatchObject({ filesChanged: [], notApplied: [{ kind: "create", path: "big" }, {}] });
      expect(warnings.join("\n")).toContain("with big they exceed the limit of 20 MiB");
      expect([existsSync(at("big")), existsSync(at("small"))]).toEqual([false, false]);
      const many = await bash("mkdir many; for i in {1..2000}; do echo > many/$i; done; echo x > a.txt");
      expect(many.value.filesChanged).toEqual([]);
      expect(many.text).toContain("there were more than 2000 changes");
      expect([existsSync(at("many")), text("a.txt")]).toEqual([false, "one\n"]);
    });

    it("R19 is never a secret, a hook, or a way out", async () => {
      const { value, warnings } = await bash(
        "rm -f .env; echo x > .env.local; mkdir -p .git/hooks; echo x > .git/hooks/pre-commit; ln -s /etc out; ln -s ../.. up; mkfifo pipe; echo ok > ok",
      );
      expect(value.filesChanged).toEqual(["ok"]);
      for (const path of [".env.local", ".git", "out", "up", "pipe"]) {
        expect(warnings.join("\n")).toContain(`${path} was left as it is`);
        expect(existsSync(at(path)), path).toBe(false);
      }
      expect(text(".env")).toBe("KEY=1\n");
    });

    it.each([
      ["rm -rf old; ln -s /etc old", "old was left"],
      ["rm a.txt; ln -s /etc/passwd a.txt", "a.txt was left"],
      ["mv a.txt .env.local", "a.txt was not deleted"],
      ["mv old .git", "old was not deleted"],
      ["rm b.txt; mkfifo pipe", "b.txt was not deleted"],
      ["head -c 30000000 /dev/zero >> a.txt; mv a.txt large", "none of its file changes were applied"],
    ])("R19 loses nothing that could not be moved elsewhere: %s", async (code, told) => {
      const { value, warnings } = await bash(code);
      expect([value.filesChanged, warnings.join("\n")]).toEqual([[], expect.stringContaining(told)]);
      expect(["a.txt", "b.txt", "old/deep/e.txt"].map(text)).toEqual(["one\n", "two\n", "five\n"]);
    });

    it("is empty if only part of a replacement could be applied", async () => {
      await using bare = await openExecWorld(files, {
        tools,
        role: { name: "r", permissions: ["RunCode", "WriteFiles", "DeleteFiles"] },
      });
      const result = await bare.call("run_code", { language: "bash", code: "rm a.txt; ln -s b.txt a.txt" });
      expect(result).toMatchObject({ ok: false, error: { code: "PERMISSION_DENIED" } });
      expect(readFileSync(join(bare.workspace, "a.txt"), "utf8")).toBe("one\n");
    });

    it("P4 is applied completely or not at all: a concurrent change prevents it, and the output is returned", async () => {
      const code =
        "sleep 1; echo printed; echo mine > a.txt; rm b.txt; echo c > sub/c.txt; echo new > new.txt";
      const call = world.call("run_code", { language: "bash", code, timeout: 20 });
      await delay(600);
      for (const path of ["a.txt", "b.txt"]) writeFileSync(at(path), "theirs\n");
      const result = await call;
      expect(result).toMatchObject({ ok: false, error: { code: "STALE_FILE" } });
      expect(result.text).toMatch(/a\.txt, b\.txt[\s\S]*printed/);
      expect(["a.txt", "b.txt", "sub/c.txt"].map(text)).toEqual(["theirs\n", "theirs\n", "three\n"]);
      expect([existsSync(at("new.txt")), await world.runtime.changes()]).toEqual([false, []]);
    });

    it("P4 reports a conflict that only the commit detects, with the output", async () => {
      const approver = async () => {
        writeFileSync(join(own.workspace, "package.json"), "theirs\n");
        return { approved: true };
      };
      await using own = await openExecWorld({ ...files, "package.json": "{}\n" }, { tools, approver });
      const code = "echo printed; echo wrong >&2; echo mine > package.json; echo mine > a.txt";
      const result = await own.call("run_code", { language: "bash", code, timeout: 20 });
      expect(result).toMatchObject({
        ok: false,
        error: {
          code: "STALE_FILE",
          details: { stdout: "printed\n", stderr: "wrong\n", filesChanged: [], paths: ["package.json"] },
        },
      });
      expect(result.text).toMatch(
        /package\.json meanwhile[\s\S]*None of its file changes[\s\S]*printed[\s\S]*wrong/,
      );
      const texts = ["package.json", "a.txt"].map((path) => readFileSync(join(own.workspace, path), "utf8"));
      expect(texts).toEqual(["theirs\n", "one\n"]);
    });

    it.each([
      ["run_code", { language: "bash", code: CHANGING }, [false]],
      ["execute_command", { command: CHANGING }, [false]],
    ] as const)(
      "that is denied is not applied, and the output of %s is returned without secrets",
      async (tool, args, answers) => {
        const left: boolean[] = [...answers];
        const approver = async () => ({ approved: left.shift() === true, feedback: "not that file" });
        const kept = { ...files, "package.json": "{}\n", ".env": "API_KEY=CANARY-in-env-file\n" };
        const options = { tools, approver, commands: { onUnlisted: "box" } } as const;
        await using own = await openExecWorld(kept, options);
        const result = await own.call(tool, args);
        expect(result).toMatchObject({
          ok: false,
          error: { code: "APPROVAL_DENIED", details: { stdout: expect.stringContaining("printed") } },
        });
        expect(result.text).toMatch(
          /not that file[\s\S]*It has run; its file changes were not applied[\s\S]*printed[\s\S]*wrong/,
        );
        expect(result.text).toContain("[secret:.env]");
        expect(JSON.stringify(result)).not.toContain("CANARY-in-env-file");
        expect(left).toEqual([]);
        const now = ["package.json", "a.txt"].map((path) => readFileSync(join(own.workspace, path), "utf8"));
        expect(now).toEqual(["{}\n", "one\n"]);
      },
    );

    it("P4 is applied beside changes that others made elsewhere, which stay", async () => {
      const call = bash("sleep 1; echo mine > a.txt");
      await delay(600);
      writeFileSync(at("b.txt"), "theirs\n");
      expect((await call).value.filesChanged).toEqual(["a.txt"]);
      expect(["a.txt", "b.txt"].map(text)).toEqual(["mine\n", "theirs\n"]);
    });

    it("needs the permissions for changing files", async () => {
      await using bare = await openExecWorld(files, {
        tools,
        approver: async () => ({ approved: true }),
        role: { name: "r", permissions: ["RunCode", "WriteFiles"] },
      });
      const run = (code: string) => bare.call("run_code", { language: "bash", code });
      const result = await run("echo x > a.txt; rm b.txt; cat a.txt");
      expect(result).toMatchObject({ ok: true, value: { stdout: "x\n", filesChanged: ["a.txt"] } });
      expect(result.warnings.join("\n")).toMatch(/b\.txt was left.*DeleteFiles/);
      expect((await run("echo y > y")).warnings.join("\n")).toMatch(/y was left.*CreateFiles/);
      expect(readdirSync(bare.workspace).sort()).toEqual([".env", "a.txt", "b.txt", "old", "sub"]);
    });

    it("by a command that needs a shell is journalled too, and prompts once", async () => {
      let asked = 0;
      const approver = async () => {
        asked += 1;
        return { approved: true };
      };
      await using own = await openExecWorld(files, { tools, approver, commands: { onUnlisted: "ask" } });
      const result = await own.call("execute_command", {
        command: "for f in *.txt; do echo $f > made-$f; done",
      });
      expect(result).toMatchObject({ ok: true, value: { exitCode: 0 } });
      expect(asked).toBe(1);
      expect(readdirSync(own.workspace)).toContain("made-a.txt");
      expect(await own.runtime.changes()).toMatchObject([{ tool: "execute_command", state: "done" }]);
      await own.runtime.undo();
      expect(readdirSync(own.workspace)).not.toContain("made-a.txt");
    });

    it("R22 without a sandbox, which only the host can configure, prompts every time and is journalled", async () => {
      const asked: string[] = [];
      const approver = async ({ reason }: { readonly reason: string }) => {
        asked.push(reason);
        return { approved: asked.length === 1 };
      };
      const options = { tools, approver, sandbox: { tier: "unconfined" } } as const;
      await using own = await openExecWorld(files, options);
      const code = "pwd; cat .env; echo x > made; echo $API_TOKEN; echo $1";
      const call = () => own.call("run_code", { language: "bash", code, args: ["a b"] });
      const result = await call();
      expect(result).toMatchObject({ ok: true, value: { filesChanged: ["made"] } });
      expect(JSON.stringify(result)).not.toContain("KEY=1");
      expect(await own.runtime.changes()).toMatchObject([{ tool: "run_code", state: "done" }]);
      expect(await call()).toMatchObject({ ok: false, error: { code: "APPROVAL_DENIED" } });
      expect(asked).toEqual([
        expect.stringContaining("without a sandbox"),
        expect.stringContaining("without a sandbox"),
      ]);
      await using nobody = await openExecWorld(files, { tools, sandbox: { tier: "unconfined" } });
      expect(await nobody.call("run_code", { language: "bash", code: "echo x" })).toMatchObject({
        error: { code: "APPROVAL_REQUIRED" },
      });
    });

    it("leaves nothing beside the workspace", async () => {
      await bash("echo x > a.txt");
      expect(readdirSync(join(world.root, "state/sandbox"))).toEqual([]);
    });
  },
);

/** Returns everything in the workspace with its content and mode. */
function tree(directory = ""): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(at(directory), { withFileTypes: true })) {
    const path = directory === "" ? entry.name : `${directory}/${entry.name}`;
    if (entry.isDirectory()) Object.assign(found, tree(path));
    else if (entry.isSymbolicLink()) found[path] = `-> ${readlinkSync(at(path))}`;
    else found[path] = `${(statSync(at(path)).mode & 0o777).toString(8)} ${readFileSync(at(path), "latin1")}`;
  }
  return found;
}

import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { defineTool, redactStrings, s, ToolError, token, tool } from "@haft/core";
import { describe, expect, it } from "vitest";
import { createsFile, readsFile, writesFile } from "../test-support/file-tools.js";
import { runtimeFolder } from "../test-support/runtime-folder.js";
import { createNodeRuntime } from "./create-node-runtime.js";

const folder = runtimeFolder(
  {},
  {
    tools: [readsFile, writesFile, createsFile],
    env: {},
  },
);
const { open } = folder;

describe("createNodeRuntime", () => {
  it("works over a real folder for a role, by name", async () => {
    writeFileSync(join(folder.root, "a.txt"), "hello\n");
    await using runtime = await open({ role: "reader" });
    expect(await runtime.call("reads_file", { path: "a.txt" })).toMatchObject({
      ok: true,
      value: { text: "hello\n" },
    });
    expect(runtime.tools().map(({ name }) => name)).toEqual(["reads_file"]);
    expect(await runtime.call("writes_file", { path: "a.txt", text: "x" })).toMatchObject({
      ok: false,
      error: { code: "PERMISSION_DENIED" },
    });
  });

  it("S4.005 without an approver a call is rejected, and nothing is written", async () => {
    writeFileSync(join(folder.root, "a.txt"), "old\n");
    await using runtime = await open();
    expect(await runtime.call("writes_file", { path: "a.txt", text: "new\n" })).toMatchObject({
      ok: false,
      error: { code: "APPROVAL_REQUIRED" },
    });
    expect(folder.content("a.txt")).toBe("old\n");
    expect(await runtime.pending()).toEqual([]);
    await expect(runtime.decide("any", { approved: true })).rejects.toMatchObject({
      code: "APPROVAL_NOT_FOUND",
    });
  });

  it("a missing, unreadable or wrong workspace is a clear error before anything is created", async () => {
    const state = join(folder.base, "never");
    const attempt = (workspace: string) => createNodeRuntime({ workspace, stateDirectory: state, tools: [] });
    await expect(attempt(join(folder.base, "nowhere"))).rejects.toMatchObject({ code: "PATH_NOT_FOUND" });
    await expect(attempt("")).rejects.toMatchObject({ code: "INVALID_PATH" });
    await expect(attempt("a\0b")).rejects.toMatchObject({ code: "INVALID_PATH" });
    writeFileSync(join(folder.base, "file"), "");
    await expect(attempt(join(folder.base, "file"))).rejects.toMatchObject({ code: "NOT_A_DIRECTORY" });
    await expect(attempt(join(folder.base, "file", "below"))).rejects.toMatchObject({
      code: "PATH_NOT_FOUND",
    });
    await expect(attempt(join(folder.base, "x".repeat(300)))).rejects.toMatchObject({ code: "IO_ERROR" });
    chmodSync(folder.root, 0o000);
    const unreadable = await attempt(folder.root).then(
      (runtime) => runtime.dispose(),
      (error) => error,
    );
    chmodSync(folder.root, 0o755);
    if (process.getuid?.() !== 0) expect(unreadable).toMatchObject({ code: "PERMISSION_DENIED" });
    expect(existsSync(state) && process.getuid?.() !== 0).toBe(false);
  });

  it("an unknown role or an invalid rule stops it before anything is created", async () => {
    await expect(open({ role: "readr" })).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      hint: expect.stringContaining("reader"),
    });
    await expect(open({ rules: [{ effect: "maybe" as never }] })).rejects.toMatchObject({
      code: "CONFIG_INVALID",
    });
    expect(existsSync(join(folder.base, "state"))).toBe(false);
  });

  it("deny rules win over everything, in the role as in the configuration", async () => {
    const role = {
      name: "own",
      permissions: ["ReadFiles", "WriteFiles", "CreateFiles"],
      rules: [{ effect: "deny", when: { path: "secret/**" } }],
    } as const;
    await using runtime = await open({
      role,
      rules: [
        { effect: "allow", tool: "writes_file" },
        { effect: "deny", tool: "creates_file", reason: "no new files" },
      ],
      approver: async () => ({ approved: true }),
    });
    expect(await runtime.call("writes_file", { path: "free.txt", text: "x" })).toMatchObject({ ok: true });
    expect(await runtime.call("writes_file", { path: "secret/a", text: "x" })).toMatchObject({
      error: { code: "POLICY_DENIED" },
    });
    expect(await runtime.call("creates_file", { path: "b", text: "x" })).toMatchObject({
      error: { code: "POLICY_DENIED", message: expect.stringContaining("no new files") },
    });
  });

  it("a protected path prompts although a rule allows it", async () => {
    const asked: string[] = [];
    await using runtime = await open({
      rules: [{ effect: "allow", tool: "writes_file" }],
      approver: async ({ reason }) => {
        asked.push(reason);
        return { approved: false };
      },
    });
    expect(await runtime.call("writes_file", { path: ".git/hooks/pre-commit", text: "evil" })).toMatchObject({
      error: { code: "APPROVAL_DENIED" },
    });
    expect(asked).toEqual([expect.stringContaining("protected")]);
  });

  it("S4.005 secrets of the environment and registered ones appear in no result, error, event or request", async () => {
    writeFileSync(join(folder.root, "x.log"), "token canary-canary-1 and canary-canary-2\n");
    const seen: unknown[] = [];
    await using runtime = await open({
      env: { DEPLOY_TOKEN: "canary-canary-1" },
      knownSecrets: ["canary-canary-2"],
      redact: redactStrings((text) => text.replaceAll("token", "TOKEN")),
      approver: async (request) => {
        seen.push(request);
        return { approved: false, feedback: "no" };
      },
    });
    runtime.watch((event) => seen.push(event));
    const read = await runtime.call("reads_file", { path: "x.log" });
    expect(read).toMatchObject({
      ok: true,
      value: { text: "TOKEN [secret:DEPLOY_TOKEN] and [secret:known-1]\n" },
    });
    seen.push(read, await runtime.call("writes_file", { path: "x.log", text: "canary-canary-1" }));
    seen.push(await runtime.call("reads_file", { path: "canary-canary-2" }));
    expect(JSON.stringify(seen)).not.toContain("canary-canary");
    expect(seen.length).toBeGreaterThan(6);
  });

  it("passes the settings of packs to their tools as services, and switches tools off", async () => {
    const limits = token<{ readBytes?: number }>("config.limits");
    const definition = {
      name: "tells_limit",
      summary: "Tells a limit.",
      category: "read",
      permissions: [],
      input: s.object({}),
      output: s.object({ readBytes: s.integer("Bytes") }),
      approval: "auto",
      inject: [limits],
    } as const;
    class TellsLimit {
      constructor(readonly limits: { readBytes?: number }) {}
      async run() {
        return { readBytes: this.limits.readBytes };
      }
    }
    tool(definition as never)(TellsLimit as never);
    await using runtime = await open({
      tools: [TellsLimit as never, readsFile, writesFile],
      limits: { readBytes: 7, callMs: 1_000 },
      disabledTools: ["reads_file"],
      acceptsImages: false,
      dialect: "camel",
      readBeforeWrite: "off",
    });
    expect(await runtime.call("tells_limit")).toMatchObject({ ok: true, value: { readBytes: 7 } });
    expect(await runtime.call("reads_file", { path: "a" })).toMatchObject({
      error: { code: "TOOL_DISABLED" },
    });
    await using fromFile = await open({ tools: { disabled: ["tells_limit"] } });
    expect(await fromFile.call("tells_limit")).toMatchObject({ error: { code: "TOOL_DISABLED" } });
  });

  it("S1.C7 uses the imported tools if none are given", async () => {
    const announced = defineTool({
      name: "announced_by_import",
      summary: "Is there.",
      category: "read",
      permissions: [],
      approval: "auto",
      input: s.object({}),
      output: s.object({}),
      run: async () => ({}),
    });
    expect(announced.definition.name).toBe("announced_by_import");
    const { tools: _left, ...rest } = {
      workspace: folder.root,
      stateDirectory: join(folder.base, "state"),
      role: "reader",
      tools: [],
    };
    await using runtime = await createNodeRuntime(rest);
    expect(await runtime.call("announced_by_import")).toMatchObject({ ok: true });
  });

  it("runs commands through this machine's runner, or through a given one", async () => {
    const command = defineTool({
      name: "runs_pwd",
      summary: "Runs pwd.",
      category: "execute",
      permissions: ["ExecuteCommands"],
      approval: "auto",
      input: s.object({}),
      output: s.object({ text: s.string("Output") }),
      run: async (_args, { processes, signal }) => ({
        text: (await processes.run({ argv: ["pwd"] }, signal)).stdout.text,
      }),
    });
    await using runtime = await open({ tools: [command], env: { PATH: process.env.PATH } });
    expect(await runtime.call("runs_pwd")).toMatchObject({ ok: true, value: { text: `${folder.root}\n` } });
    const refuse = () => Promise.reject(new ToolError("COMMAND_DENIED", "not here"));
    const refuses = { run: refuse, open: refuse };
    await using other = await open({ tools: [command], capabilities: { processes: refuses } });
    expect(await other.call("runs_pwd")).toMatchObject({ error: { code: "COMMAND_DENIED" } });
  });

  it("journals changes, and undoes a call", async () => {
    writeFileSync(join(folder.root, "f"), "one");
    await using runtime = await open({
      knownSecrets: ["hush-hush"],
      approver: async () => ({ approved: true }),
    });
    await runtime.call("writes_file", { path: "f", text: "two" }, { callId: "first" });
    await runtime.call("writes_file", { path: "g", text: "hush-hush" }, { callId: "second" });
    expect((await runtime.changes()).map(({ callId, tool, state }) => [callId, tool, state])).toEqual([
      ["first", "writes_file", "done"],
      ["second", "writes_file", "done"],
    ]);
    const undone = await runtime.undo();
    expect(undone).toMatchObject([{ kind: "delete", path: "g" }]);
    expect(JSON.stringify(undone)).not.toContain("hush-hush");
    expect(await runtime.undo("first")).toMatchObject([{ kind: "modify", path: "f" }]);
    expect(folder.content("f")).toBe("one");
    expect(existsSync(join(folder.root, "g"))).toBe(false);
    await expect(runtime.undo()).rejects.toSatisfy(ToolError.is);
    await expect(runtime.undo("never")).rejects.toSatisfy(ToolError.is);
  });

  it("a typed call from code takes the same path, with and without an id", async () => {
    const echo = defineTool({
      name: "echoes",
      summary: "Says it again.",
      category: "read",
      permissions: [],
      approval: "auto",
      input: s.object({ text: s.string("What") }),
      output: s.object({ text: s.string("That") }),
      run: async ({ text }) => ({ text }),
    });
    await using runtime = await open({ tools: [echo], decidable: true });
    const result = await runtime.call(echo, { text: "hello" });
    expect(result.ok && result.value.text).toBe("hello");
    const once = await runtime.call(echo, { text: "hello" }, { callId: "1" });
    expect(await runtime.call(echo, { text: "hello" }, { callId: "1" })).toEqual(once);
    expect(await runtime.call("echoes", { text: "other" }, { callId: "1" })).toMatchObject({
      error: { code: "CALL_ID_CONFLICT" },
    });
  });

  it("releases everything on dispose, and remaining references have no effect", async () => {
    writeFileSync(join(folder.root, "f"), "inside");
    const outside = join(folder.base, "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "f"), "outside");
    const before = readdirSync("/proc/self/fd").length;
    const runtimes = await Promise.all(Array.from({ length: 5 }, () => open()));
    for (const runtime of runtimes) await runtime.call("reads_file", { path: "f" });
    await Promise.all(runtimes.flatMap((runtime) => [runtime.dispose(), runtime.dispose()]));
    expect(readdirSync("/proc/self/fd").length).toBeLessThanOrEqual(before);
    // The descriptor numbers that the runtimes held now refer to another folder.
    const taken = Array.from({ length: 10 }, () => openSync(outside, "r"));
    for (const runtime of runtimes) {
      await runtime.dispose();
      await expect(runtime.workspace.readText("f")).rejects.toThrow();
    }
    for (const descriptor of taken) closeSync(descriptor);
  });

  it("two runtimes in one process are independent", async () => {
    const otherRoot = join(folder.base, "other");
    mkdirSync(otherRoot);
    writeFileSync(join(folder.root, "f"), "one");
    writeFileSync(join(otherRoot, "f"), "two");
    await using one = await open({
      knownSecrets: ["two-two-two"],
      approver: async () => ({ approved: true, remember: "session" }),
    });
    await using two = await open({
      workspace: otherRoot,
      stateDirectory: join(folder.base, "state2"),
      role: "reader",
    });
    expect(await one.call("reads_file", { path: "f" })).toMatchObject({ value: { text: "one" } });
    expect(await two.call("reads_file", { path: "f" })).toMatchObject({ value: { text: "two" } });
    await one.call("writes_file", { path: "f", text: "two-two-two" });
    expect(await one.grants.list()).toHaveLength(1);
    expect(await two.grants.list()).toEqual([]);
    await one.dispose();
    expect(await one.call("reads_file", { path: "f" })).toMatchObject({ error: { code: "CANCELLED" } });
    expect(await two.call("reads_file", { path: "f" })).toMatchObject({ ok: true });
  });
});

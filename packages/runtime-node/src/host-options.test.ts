import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { type ApprovalRequest, defineTool, s, ToolError } from "@haft/core";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createsFile, readsFile, writesFile } from "../test-support/file-tools.js";
import { runtimeFolder } from "../test-support/runtime-folder.js";
import { createNodeRuntime } from "./create-node-runtime.js";
import { stateDirectoryOf } from "./journal/state-directory.js";

const folder = runtimeFolder(
  { "a.txt": "old\n" },
  {
    readBeforeWrite: "off",
    tools: [readsFile, writesFile, createsFile],
    env: {},
  },
);
const { open } = folder;

const write = { path: "a.txt", text: "new\n" };

describe("a policy of the host", () => {
  const allow = () => ({ effect: "allow", because: "the host says so" }) as const;

  it("allows calls for which the tool proposes approval", async () => {
    await using runtime = await open({ policy: allow });
    expect(await runtime.call("writes_file", write)).toMatchObject({ ok: true });
  });

  it.each([
    ["deny", "POLICY_DENIED"],
    ["ask", "APPROVAL_REQUIRED"],
  ] as const)("cannot lift a rule of the configuration: %s", async (effect, code) => {
    await using runtime = await open({ policy: allow, rules: [{ tool: "writes_file", effect }] });
    expect(await runtime.call("writes_file", write)).toMatchObject({ ok: false, error: { code } });
  });

  it("is not widened by an allow rule", async () => {
    const deny = () => ({ effect: "deny", because: "the host says so" }) as const;
    await using runtime = await open({ policy: deny, rules: [{ tool: "writes_file", effect: "allow" }] });
    expect(await runtime.call("writes_file", write)).toMatchObject({ error: { code: "POLICY_DENIED" } });
  });
});

describe("errors in host options", () => {
  it.runIf(process.platform === "linux")(
    "rejects two tools with the same name, and leaves nothing open",
    async () => {
      const twin = defineTool({
        ...readsFile.definition,
        summary: "Another.",
        run: async () => ({ path: "", text: "", hash: "" }),
      });
      const heldOpen = () => readdirSync("/proc/self/fd").length;
      const before = heldOpen();
      for (let attempt = 0; attempt < 5; attempt += 1)
        await expect(open({ tools: [readsFile, twin] })).rejects.toMatchObject({ code: "TOOL_CONFLICT" });
      expect(heldOpen()).toBeLessThan(before + 5);
    },
  );
});

describe("the state folder", () => {
  it("follows the given environment, not the process's", async () => {
    const env = { XDG_STATE_HOME: join(folder.base, "xdg") };
    {
      await using runtime = await createNodeRuntime({
        workspace: folder.root,
        tools: [createsFile],
        env,
        policy: () => ({ effect: "allow", because: "test" }),
      });
      expect(await runtime.call("creates_file", { path: "b.txt", text: "b" })).toMatchObject({ ok: true });
    }
    expect(stateDirectoryOf(folder.root, env)).toMatch(new RegExp(`^${folder.base}/xdg/haft/ws-`));
    expect(existsSync(join(stateDirectoryOf(folder.root, env), "journal.jsonl"))).toBe(true);
    expect(existsSync(stateDirectoryOf(folder.root))).toBe(false);
  });
});

describe("the time limit of a call", () => {
  const tells = defineTool({
    name: "tells_time",
    summary: "Waits until it is stopped.",
    category: "read",
    permissions: ["ReadFiles"],
    input: s.object({}),
    output: s.object({}),
    run: async (_args, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  });

  it("is the configured one", async () => {
    await using runtime = await open({ tools: [tells], limits: { callMs: 50 } });
    expect(await runtime.call("tells_time", {})).toMatchObject({ ok: false, error: { code: "TIMEOUT" } });
  });
});

describe("the default time limit of a call", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it("is 30 seconds", async () => {
    const started = new Promise<void>((resolve) => {
      waits.onStart = resolve;
    });
    await using runtime = await open({ tools: [waits.tool] });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance", "Date"] });
    const call = runtime.call("waits", {});
    await started;
    await vi.advanceTimersByTimeAsync(29_900);
    expect(await Promise.race([call, Promise.resolve("running")])).toBe("running");
    await vi.advanceTimersByTimeAsync(200);
    expect(await call).toMatchObject({ ok: false, error: { code: "TIMEOUT" } });
  });

  const waits = {
    onStart: () => {},
    tool: defineTool({
      name: "waits",
      summary: "Waits until it is stopped.",
      category: "read",
      permissions: ["ReadFiles"],
      input: s.object({}),
      output: s.object({}),
      run: async (_args, { signal }) => {
        waits.onStart();
        return new Promise<object>((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason));
        });
      },
    }),
  };
});

describe("an approver", () => {
  it("a ToolError that it throws is reported unchanged", async () => {
    const approver = async () => {
      throw new ToolError("APPROVAL_TIMEOUT", "The client went away");
    };
    await using runtime = await open({ approver });
    expect(await runtime.call("writes_file", write)).toMatchObject({
      error: { code: "APPROVAL_TIMEOUT", message: expect.stringContaining("The client went away") },
    });
  });

  it("that throws denies, and the reason is reported", async () => {
    await using runtime = await open({ approver: () => Promise.reject(new Error("no screen")) });
    expect(await runtime.call("writes_file", write)).toMatchObject({
      error: { code: "APPROVAL_DENIED", message: expect.stringContaining("no screen") },
    });
  });

  it("without an answer in time it is a timeout", async () => {
    await using runtime = await open({ approver: async () => ({ approved: false, failure: "timeout" }) });
    expect(await runtime.call("writes_file", write)).toMatchObject({ error: { code: "APPROVAL_TIMEOUT" } });
  });

  it("cannot edit arguments with redacted secrets, whatever replaces the placeholder", async () => {
    const shown: ApprovalRequest[] = [];
    await using runtime = await open({
      knownSecrets: ["hunter22"],
      redact: (value) => JSON.parse(JSON.stringify(value).replaceAll(/\[secret:[^\]]*\]/g, "***")),
      approver: async (request) => {
        shown.push(request);
        return { approved: true, modifiedArgs: { ...request.args, path: "b.txt" } };
      },
    });
    const result = await runtime.call("writes_file", { path: "a.txt", text: "pass hunter22\n" });
    expect(shown[0]?.args).toEqual({ path: "a.txt", text: "pass ***\n" });
    expect(result).toMatchObject({ ok: false, error: { code: "APPROVAL_DENIED" } });
    expect(folder.content("a.txt")).toBe("old\n");
    expect(existsSync(join(folder.root, "b.txt"))).toBe(false);
  });
});

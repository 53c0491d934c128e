import { defineTool, s, ToolError } from "@haft/core";
import type { CodeSandbox, NetworkClient, ProcessRunner } from "@haft/core/capabilities";
import { describe, expect, it } from "vitest";
import { runtimeFolder } from "../../test-support/runtime-folder.js";

const SECRET = "canary-5f0c1e77a9";
const folder = runtimeFolder({ ".env": `API_TOKEN=${SECRET}\n` }, { env: {} });
const captured = (text: string) => ({ text, totalBytes: text.length, omittedBytes: 0 });
const outcome = {
  stdout: captured(`out ${SECRET}`),
  stderr: captured(`err ${SECRET}`),
  durationMs: 1,
  timedOut: false,
};

const processes: ProcessRunner = {
  run: async ({ onOutput }) => {
    onOutput?.(SECRET.slice(0, 8), "stdout");
    onOutput?.(`${SECRET.slice(8)}\n`, "stdout");
    return { ...outcome, exitCode: 0, signal: null, backgroundChild: false };
  },
  open: async () => ({
    cwd: ".",
    changeDirectory: async () => true,
    list: async () => [],
    pipe: async () => ({ exitCode: 0 }),
    write: () => false,
    output: () => ({ ...outcome, leftBehind: false }),
    close: async () => ({ ...outcome, leftBehind: false }),
  }),
};
const sandbox: CodeSandbox = {
  tier: "own",
  run: async () => ({ ...outcome, exitCode: 0, changes: [], conflicts: [], warnings: [`warns ${SECRET}`] }),
};
const network: NetworkClient = {
  fetch: async ({ url }) => ({
    status: 200,
    url,
    headers: { "x-echo": SECRET },
    body: new TextEncoder().encode(`body ${SECRET}`),
    truncated: false,
  }),
};

const heard: unknown[] = [];
const Uses = defineTool({
  name: "uses",
  summary: "Use everything.",
  category: "execute",
  permissions: ["ExecuteCommands", "RunCode", "NetworkAccess"],
  approval: "auto",
  input: s.object({}),
  output: s.json("Anything"),
  run: async (_args, context) => {
    const { signal, report } = context;
    const onOutput = (message: string) => report({ message });
    const run = await context.processes.open({}, signal);
    const response = await context.network.fetch({ url: "https://example.com" }, signal);
    const seen = [
      await context.processes.run({ argv: ["x"], onOutput }, signal),
      run.output(),
      await run.close(),
      await context.sandbox.run({ argv: ["x"], timeoutMs: 1 }, signal),
      { ...response, body: new TextDecoder().decode(response.body) },
    ];
    heard.push(...seen);
    return seen;
  },
});

const Fails = defineTool({
  name: "fails",
  summary: "Use one capability.",
  category: "execute",
  permissions: ["ExecuteCommands", "RunCode", "NetworkAccess"],
  approval: "auto",
  input: s.object({ what: s.enum("Which", ["run", "open", "code", "fetch"]) }),
  run: async ({ what }, { processes: own, sandbox: box, network: client, signal }) => {
    if (what === "run") await own.run({ argv: ["x"] }, signal);
    if (what === "open") await own.open({}, signal);
    if (what === "code") await box.run({ argv: ["x"], timeoutMs: 1 }, signal);
    if (what === "fetch") await client.fetch({ url: "https://example.com" }, signal);
  },
});

describe("FE14 all results of a capability are redacted, for every provider", () => {
  it("a host's own sandbox, process runner and network client", async () => {
    await using runtime = await folder.open({
      role: "admin",
      tools: [Uses],
      capabilities: { processes, sandbox, network },
    });
    const events: unknown[] = [];
    runtime.watch((event) => events.push(event));
    const result = await runtime.call("uses", {});
    expect(result.ok).toBe(true);
    expect(result.text).toContain("out [");
    expect(events.some((event) => JSON.stringify(event).includes("progress"))).toBe(true);
    // Not even the tool sees it.
    expect(JSON.stringify([result, events, heard])).not.toContain(SECRET);
    expect(JSON.stringify(heard)).toContain("body [");
  });

  it.each<[string, () => unknown]>([
    ["an error", () => Object.assign(new Error(`no route: ?key=${SECRET}`), { code: "EHOSTUNREACH" })],
    ["a ToolError", () => new ToolError("TIMEOUT", "late", { hint: `ask ${SECRET}`, details: { SECRET } })],
    ["a text", () => `failed with ${SECRET}`],
  ])("FE14 %s that a capability throws", async (_what, thrown) => {
    const fail = async () => {
      throw thrown();
    };
    const capabilities = {
      processes: { run: fail, open: fail },
      sandbox: { tier: "own", run: fail },
      network: { fetch: fail },
    };
    await using runtime = await folder.open({ role: "admin", tools: [Fails], capabilities });
    for (const what of ["run", "open", "code", "fetch"] as const) {
      const result = await runtime.call("fails", { what });
      expect(result.ok).toBe(false);
      expect(JSON.stringify(result)).toContain("[secret:.env]");
      expect(JSON.stringify(result)).not.toContain(SECRET);
    }
  });

  it("FE14 an error without a secret arrives unchanged", async () => {
    const fetch = async () => {
      throw new ToolError("TIMEOUT", "late");
    };
    await using runtime = await folder.open({
      role: "admin",
      tools: [Fails],
      capabilities: { network: { fetch } },
    });
    expect(await runtime.call("fails", { what: "fetch" })).toMatchObject({
      error: { code: "TIMEOUT", message: "late" },
    });
  });
});

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { pathToFileURL } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { BIN, runHaft } from "./fixtures/run-haft.js";
import { temporaryWorkspace } from "./fixtures/temporary-workspace.js";

let workspace: ReturnType<typeof temporaryWorkspace>;
const running: ChildProcess[] = [];
beforeEach(() => {
  workspace = temporaryWorkspace({ "a.txt": "hello\n" });
});
afterEach(() => {
  for (const child of running.splice(0)) child.kill("SIGKILL");
  workspace.remove();
});

interface Serving {
  readonly child: ChildProcess;
  readonly url: string;
  /** The header that clients send, with the generated token. */
  readonly headers: Record<string, string>;
  output(): string;
}

function serve(args: readonly string[] = [], env: Record<string, string> = {}): Promise<Serving> {
  return serveIn(workspace.folder, ["--workspace", workspace.folder, ...args], env);
}

async function serveIn(cwd: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Serving> {
  const child = spawn(process.execPath, [BIN, "mcp", "--http", "0", ...args], {
    cwd,
    env: { ...process.env, XDG_STATE_HOME: `${workspace.folder}-state`, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.push(child);
  let output = "";
  let told = "";
  child.stdout?.on("data", (chunk) => {
    output += chunk;
  });
  child.stderr?.on("data", (chunk) => {
    told += chunk;
  });
  await expect.poll(() => told, { timeout: 15_000 }).toMatch(/serving on http:.*\n/);
  const token = /Bearer (\S+)/.exec(told)?.[1];
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return { child, url: /http:\S+/.exec(told)?.[0] ?? "", headers, output: () => output };
}

async function connect(url: string, era: "legacy" | "modern", headers: Record<string, string> = {}) {
  const modern = { versionNegotiation: { mode: { pin: "2026-07-28" } } };
  const client = new Client({ name: "test", version: "1" }, era === "modern" ? modern : {});
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  return client;
}

describe("haft mcp --http", () => {
  it("serves the official client in both revisions, and stops cleanly", async () => {
    const { child, url, headers, output } = await serve();
    for (const era of ["legacy", "modern"] as const) {
      const client = await connect(url, era, headers);
      expect((await client.listTools()).tools.map(({ name }) => name)).toContain("grep");
      const result = await client.callTool({ name: "read_file", arguments: { path: "a.txt" } });
      expect(result.structuredContent).toMatchObject({ content: "hello\n" });
      await client.close();
    }
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
    expect(output()).toBe("");
  });

  it("FE11 creates a token, and rejects clients without it", async () => {
    const { url, headers } = await serve();
    expect(headers.authorization).toMatch(/^Bearer [0-9a-f]{64}$/);
    for (const wrong of [{}, { authorization: "Bearer guess" }]) {
      await expect(connect(url, "legacy", wrong)).rejects.toThrow();
      await expect(connect(url, "modern", wrong)).rejects.toThrow();
    }
    const other = await serve();
    expect(other.headers).not.toEqual(headers);
    const open = await serve(["--no-token"]);
    expect(open.headers).toEqual({});
    await (await connect(open.url, "legacy")).close();
  });

  it("requires a token for any address but the loopback, and accepts it", async () => {
    const refused = await runHaft(["mcp", "--http", "0", "--host", "0.0.0.0", "--no-token"], {
      cwd: workspace.folder,
    });
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toContain("--no-token");
    const token = "a-token-of-some-length";
    const { url } = await serve(["--host", "0.0.0.0"], { HAFT_MCP_TOKEN: token });
    const local = url.replace("0.0.0.0", "127.0.0.1");
    await expect(connect(local, "legacy")).rejects.toThrow();
    const client = await connect(local, "legacy", { authorization: `Bearer ${token}` });
    expect((await client.listTools()).tools.length).toBeGreaterThan(5);
    await client.close();
  });

  it.each<[string, { HAFT_MCP_TOKEN?: string }, string]>([
    ["does not choose the folder without a given token", {}, "hello\n"],
    ["chooses the folder with one", { HAFT_MCP_TOKEN: "a-token-of-some-length" }, "elsewhere\n"],
  ])("a client with roots %s", async (_what, env, content) => {
    const elsewhere = temporaryWorkspace({ "a.txt": "elsewhere\n" });
    try {
      const { url, headers: made } = await serveIn(workspace.folder, [], env);
      const client = new Client({ name: "test", version: "1" }, { capabilities: { roots: {} } });
      const roots = [{ uri: pathToFileURL(elsewhere.folder).href }];
      client.setRequestHandler("roots/list", async () => ({ roots }));
      const headers =
        env.HAFT_MCP_TOKEN === undefined ? made : { authorization: `Bearer ${env.HAFT_MCP_TOKEN}` };
      await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
      const result = await client.callTool({ name: "read_file", arguments: { path: "a.txt" } });
      expect(result.structuredContent).toMatchObject({ content });
      await client.close();
    } finally {
      elsewhere.remove();
    }
  });

  it.each([
    ["a port that is none", ["--http", "70000"]],
    ["an address without --http", ["--host", "127.0.0.1"]],
    ["a folder that is not there", ["--http", "0", "--workspace", "missing"]],
  ])("%s is reported at once", async (_what, args) => {
    const { code, stdout } = await runHaft(["mcp", ...args], { cwd: workspace.folder });
    expect({ code, stdout }).toEqual({ code: expect.toSatisfy((value) => value !== 0), stdout: "" });
  });
});

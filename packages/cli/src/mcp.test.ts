import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client, type ElicitRequestFormParams } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { BIN, runHaft } from "./fixtures/run-haft.js";
import { linkPackages, temporaryWorkspace } from "./fixtures/temporary-workspace.js";

let workspace: ReturnType<typeof temporaryWorkspace>;
const clients: Client[] = [];
beforeEach(() => {
  workspace = temporaryWorkspace({ "a.txt": "hello\n" });
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  workspace.remove();
});

interface Setting {
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly roots?: readonly string[];
  answer?(question: ElicitRequestFormParams): object;
}

/** Connects the official client to a real process. */
async function connect({ args = [], cwd = workspace.folder, roots, answer }: Setting = {}): Promise<Client> {
  const client = new Client(
    { name: "test", version: "1" },
    { capabilities: { ...(answer && { elicitation: {} }), ...(roots && { roots: {} }) } },
  );
  if (answer !== undefined) {
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      return answer(params as ElicitRequestFormParams) as never;
    });
  }
  if (roots !== undefined)
    client.setRequestHandler("roots/list", async () => ({ roots: roots.map((uri) => ({ uri })) }));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BIN, "mcp", ...args],
    cwd,
    env: { PATH: process.env.PATH ?? "", XDG_STATE_HOME: `${workspace.folder}-state` },
    stderr: "ignore",
  });
  await client.connect(transport);
  clients.push(client);
  return client;
}

const READ = { name: "read_file", arguments: { path: "a.txt" } };
const WRITE = { name: "write_file", arguments: { path: "a.txt", content: "new\n" } };
const content = () => readFileSync(join(workspace.folder, "a.txt"), "utf8");
const codeOf = (result: { _meta?: Record<string, unknown> | undefined }) =>
  (result._meta?.["haft/error"] as { code?: string } | undefined)?.code;

describe("haft mcp", () => {
  it("serves a role's tools and reads files through them", async () => {
    const client = await connect({ args: ["--role", "reader", "--json"] });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("read_file");
    expect(tools.map(({ name }) => name)).not.toContain("write_file");
    expect((await client.callTool(READ)).structuredContent).toMatchObject({ content: "hello\n" });
  });

  it("offers the tools of other servers in the given configuration, and prompts for them as usual", async () => {
    const server = fileURLToPath(new URL("../../mcp/src/fixtures/foreign-server.mjs", import.meta.url));
    const mcpServers = { other: { command: process.execPath, args: [server] } };
    workspace.write("haft.config.json", JSON.stringify({ role: "admin", mcpServers }));
    const questions: string[] = [];
    const answer = ({ message }: ElicitRequestFormParams) => {
      questions.push(message);
      return { action: "accept", content: { approved: true } };
    };
    const client = await connect({ args: ["--config", "haft.config.json"], answer });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("other_echo");
    const result = await client.callTool({ name: "other_echo", arguments: { text: "hi" } });
    expect(result.structuredContent).toEqual({ text: "hi" });
    expect(questions).toEqual([expect.stringContaining("other_echo")]);
  });

  it("ap-901 requires a read before an overwrite, then prompts, then applies the changes that were shown", async () => {
    const questions: string[] = [];
    const client = await connect({
      answer: ({ message }) => {
        questions.push(message);
        return { action: "accept", content: { approved: true } };
      },
    });
    expect(codeOf(await client.callTool(WRITE))).toBe("FILE_NOT_READ");
    expect(questions).toEqual([]);
    await client.callTool(READ);
    expect((await client.callTool(WRITE)).isError).toBeFalsy();
    expect(questions).toEqual([expect.stringContaining("│ -hello\n│ +new\n")]);
    expect(content()).toBe("new\n");
  });

  it("ap-902 runs with the arguments that the person changed", async () => {
    const edited = JSON.stringify({ path: "a.txt", content: "human\n" });
    const client = await connect({
      answer: () => ({ action: "accept", content: { approved: true, arguments: edited } }),
    });
    await client.callTool(READ);
    await client.callTool(WRITE);
    expect(content()).toBe("human\n");
  });

  it("remembers exactly the granted calls for the session", async () => {
    let asked = 0;
    const client = await connect({
      answer: () => {
        asked += 1;
        return { action: "accept", content: { approved: true, remember: "session" } };
      },
    });
    await client.callTool(READ);
    await client.callTool(WRITE);
    await client.callTool(WRITE);
    await client.callTool({ ...WRITE, arguments: { path: "a.txt", content: "newer\n" } });
    expect(asked).toBe(1);
    workspace.write("b.txt", "b\n");
    await client.callTool({ name: "read_file", arguments: { path: "b.txt" } });
    await client.callTool({ name: "write_file", arguments: { path: "b.txt", content: "c\n" } });
    expect(asked).toBe(2);
  });

  it("remembers the shown rule for the project, also in later processes, until it is revoked", async () => {
    const rules: string[] = [];
    const answer = ({ requestedSchema: { properties } }: ElicitRequestFormParams) => {
      const fields = Object.entries(
        properties as Record<string, { default?: unknown; description?: string }>,
      );
      rules.push(fields.find(([name]) => name === "remember")?.[1].description ?? "");
      // A client returns every field of its form.
      const shown = Object.fromEntries(fields.map(([name, field]) => [name, field.default ?? ""]));
      return { action: "accept", content: { ...shown, approved: true, remember: "project" } };
    };
    const write = async (path: string) => {
      const client = await connect({ answer });
      await client.callTool({ name: "read_file", arguments: { path } });
      const content = `written ${rules.length}\n`;
      const result = await client.callTool({ name: "write_file", arguments: { path, content } });
      expect(result.isError).toBeFalsy();
      await client.close();
    };
    workspace.write("b.txt", "hello\n");
    for (const path of ["a.txt", "a.txt", "b.txt"]) await write(path);
    expect(rules).toEqual(
      ["a.txt", "b.txt"].map((path) => expect.stringMatching(new RegExp(`write_file may modify ${path}$`))),
    );
    const env = { XDG_STATE_HOME: `${workspace.folder}-state` };
    const haft = (...args: string[]) => runHaft(args, { cwd: workspace.folder, env });
    const grants: readonly { id: string; label: string }[] = (
      await haft("policy", "grants", "--json")
    ).json();
    expect(grants.map(({ label }) => label).sort()).toEqual([
      "write_file may modify a.txt",
      "write_file may modify b.txt",
    ]);
    for (const { id } of grants) expect((await haft("policy", "revoke", id)).code).toBe(0);
    await write("a.txt");
    expect(rules).toHaveLength(3);
  });

  it("FE11 --approve none never prompts, even if the client supports it", async () => {
    let asked = 0;
    const answer = () => {
      asked += 1;
      return { action: "accept", content: { approved: true } };
    };
    const client = await connect({ args: ["--approve", "none"], answer });
    await client.callTool(READ);
    expect(codeOf(await client.callTool(WRITE))).toBe("APPROVAL_REQUIRED");
    expect([asked, content()]).toEqual([0, "hello\n"]);
  });

  it("a declined question changes nothing", async () => {
    const client = await connect({ answer: () => ({ action: "decline" }) });
    await client.callTool(READ);
    expect(codeOf(await client.callTool(WRITE))).toBe("APPROVAL_DENIED");
    expect(content()).toBe("hello\n");
  });

  it("denies without an answer in the configured time", async () => {
    workspace.write("haft.config.json", JSON.stringify({ approvals: { timeoutMs: 200 } }));
    const client = await connect({ answer: () => new Promise(() => {}) });
    await client.callTool(READ);
    expect(codeOf(await client.callTool(WRITE))).toBe("APPROVAL_TIMEOUT");
    expect(content()).toBe("hello\n");
  });

  it("without elicitation --approve decides; the default is none", async () => {
    const none = await connect();
    await none.callTool(READ);
    expect(codeOf(await none.callTool(WRITE))).toBe("APPROVAL_REQUIRED");
    expect(content()).toBe("hello\n");
    const all = await connect({ args: ["--approve", "all"] });
    await all.callTool(READ);
    expect((await all.callTool(WRITE)).isError).toBeFalsy();
    expect(content()).toBe("new\n");
  });

  it("uses the client's first root only if no workspace was given", async () => {
    const other = temporaryWorkspace({ "a.txt": "elsewhere\n" });
    const roots = [`file://${workspace.folder}`];
    const rooted = await connect({ cwd: other.folder, roots });
    expect((await rooted.callTool(READ)).structuredContent).toMatchObject({ content: "hello\n" });
    const given = await connect({ cwd: other.folder, roots, args: ["--workspace", other.folder] });
    expect((await given.callTool(READ)).structuredContent).toMatchObject({ content: "elsewhere\n" });
    other.remove();
  });
});

describe("stopping", () => {
  it.each(["SIGTERM", "SIGINT"] as const)("%s stops it cleanly", async (signal) => {
    const child = spawn(process.execPath, [BIN, "mcp"], { cwd: workspace.folder });
    const params = {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "raw", version: "1" },
    };
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 0, method: "initialize", params })}\n`);
    await new Promise((resolve) => child.stdout.once("data", resolve));
    child.kill(signal);
    expect(await new Promise((resolve) => child.on("close", (code) => resolve(code)))).toBe(0);
  });
});

describe("standard output", () => {
  it("carries only the protocol, even if a pack prints, and closes with the input", async () => {
    workspace.write(
      "node_modules/noisy/package.json",
      JSON.stringify({ name: "noisy", version: "1.0.0", type: "module", exports: "./index.js" }),
    );
    workspace.write(
      "node_modules/noisy/index.js",
      `import { defineTool, s } from "@haft/core";
console.log("loading");
process.stdout.write("more\\n");
export const Noisy = defineTool({
  name: "noisy", summary: "Print.", category: "x-noise", permissions: [],
  approval: "auto", input: s.object({}), output: s.object({}),
  run: async () => { console.log("running"); return {}; },
});`,
    );
    linkPackages(workspace.folder, ["@haft/core"]);
    const child = spawn(process.execPath, [BIN, "mcp", "--packs", "noisy"], { cwd: workspace.folder });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on("data", (chunk) => out.push(chunk));
    child.stderr.on("data", (chunk) => err.push(chunk));
    const version = {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "raw", version: "1" },
    };
    for (const message of [
      { id: 0, method: "initialize", params: version },
      { method: "notifications/initialized" },
      { id: 1, method: "tools/call", params: { name: "noisy", arguments: {} } },
    ]) {
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    }
    child.stdin.end();
    const code = await new Promise((resolve) => child.on("close", resolve));
    expect(code).toBe(0);
    const messages = Buffer.concat(out)
      .toString("utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(messages.map(({ id }) => id)).toEqual([0, 1]);
    expect(messages[1]).toMatchObject({ result: { structuredContent: {} } });
    const noise = Buffer.concat(err).toString("utf8");
    for (const word of ["loading", "more", "running"]) expect(noise).toContain(word);
  });
});

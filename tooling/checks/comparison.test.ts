import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "./source-files.js";

const bench = createRequire(join(ROOT, "bench/package.json"));
const mcp = createRequire(join(ROOT, "packages/cli/package.json"));
const SERVER = dirname(bench.resolve("@modelcontextprotocol/server-filesystem/package.json"));
const PAGE = readFileSync(join(ROOT, "docs/comparison.md"), "utf8");

let folder: string;
let client: {
  connect(transport: unknown): Promise<void>;
  listTools(): Promise<{ tools: readonly { name: string; inputSchema: { properties?: object } }[] }>;
  callTool(call: { name: string; arguments: object }): Promise<{ isError?: boolean; content: unknown }>;
  close(): Promise<void>;
};

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "haft-comparison-")));
  const { Client } = mcp("@modelcontextprotocol/client");
  const { StdioClientTransport } = mcp("@modelcontextprotocol/client/stdio");
  client = new Client({ name: "comparison", version: "1" });
  const args = [join(SERVER, "dist/index.js"), folder];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: "ignore" }));
});
afterAll(async () => {
  await client.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("statements of docs/comparison.md about the filesystem server", () => {
  it("names the version that is tested here", () => {
    const { version } = JSON.parse(readFileSync(join(SERVER, "package.json"), "utf8"));
    expect(PAGE).toContain(`version ${version};`);
  });

  it("shows a diff with dryRun, and then edits the file as it is, even if it changed in between", async () => {
    const file = join(folder, "a.txt");
    writeFileSync(file, "one\ntwo\n");
    const edits = [{ oldText: "two", newText: "zwei" }];
    const dry = await client.callTool({ name: "edit_file", arguments: { path: file, edits, dryRun: true } });
    expect(JSON.stringify(dry.content)).toContain("+zwei");
    expect(readFileSync(file, "utf8")).toBe("one\ntwo\n");
    writeFileSync(file, "somebody else's\ntwo\n");
    await client.callTool({ name: "edit_file", arguments: { path: file, edits } });
    expect(readFileSync(file, "utf8")).toBe("somebody else's\nzwei\n");
  });

  it("has no tool for undo, and none that changes several files", async () => {
    const { tools } = await client.listTools();
    expect(tools.filter(({ name }) => /undo|revert|restore|history/.test(name))).toEqual([]);
    const changing = tools.filter(({ name }) => /write|edit|create|move/.test(name));
    expect(changing.map(({ name }) => name).sort()).toEqual([
      "create_directory",
      "edit_file",
      "move_file",
      "write_file",
    ]);
    for (const { inputSchema } of changing) expect(inputSchema.properties).not.toHaveProperty("paths");
  });

  it("stays in its allowed directories", async () => {
    const outside = await client.callTool({ name: "read_text_file", arguments: { path: "/etc/hostname" } });
    expect(outside).toMatchObject({ isError: true });
  });
});

import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { createTestRuntime } from "@haft/testing";
import { afterEach, describe, expect, it, vi } from "vitest";
import { mountMcpServer } from "./mount-mcp-server.js";
import type { McpServerAddress } from "./mount-options.js";

// A waiting call reaches the test's limit long before its own limit of a minute.
vi.setConfig({ testTimeout: 25_000 });

const SERVER = fileURLToPath(new URL("../fixtures/foreign-server.mjs", import.meta.url));
const closing: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Invalid answers that a server may send. `$ID` stands for the id of the request. */
const ANSWERS: readonly [string, string][] = [
  ["neither result nor error", '{"jsonrpc":"2.0","id":$ID}'],
  ["no version", '{"id":$ID,"result":{}}'],
  ["only an id", '{"id":$ID}'],
  ["unknown members", '{"jsonrpc":"2.0","id":$ID,"answer":{"content":[]}}'],
  ["another version", '{"jsonrpc":"1.0","id":$ID,"result":{"content":[]}}'],
  ["a null result", '{"jsonrpc":"2.0","id":$ID,"result":null}'],
  ["a list", '{"jsonrpc":"2.0","id":$ID,"result":[]}'],
  ["an error that is a text", '{"jsonrpc":"2.0","id":$ID,"error":"no"}'],
  ["result and error", '{"jsonrpc":"2.0","id":$ID,"result":{"content":[]},"error":{"code":1,"message":"x"}}'],
  ["content that is no list", '{"jsonrpc":"2.0","id":$ID,"result":{"content":7}}'],
];

async function callRaw(address: McpServerAddress, text: string) {
  const mounted = await mountMcpServer(address, { name: "other", approval: "auto" });
  closing.push(() => mounted.close());
  const runtime = createTestRuntime({ tools: [] });
  mounted.attach(runtime);
  const result = await runtime.call("other_raw", { text });
  const after = await runtime.call("other_echo", { text: "still here" });
  return { result, after };
}

const FAILED = { ok: false, error: { code: "MCP_SERVER_FAILED" } };
const ALIVE = { ok: true, value: { text: "still here" } };

describe("FR5 an unreadable answer ends the call at once", () => {
  it.each(ANSWERS)("over stdio: %s", async (_what, text) => {
    const { result, after } = await callRaw({ command: process.execPath, args: [SERVER] }, text);
    expect(result).toMatchObject(FAILED);
    expect(after).toMatchObject(ALIVE);
  });

  it("over stdio: an answer larger than the message limit", async () => {
    const text = '{"jsonrpc":"2.0","id":$ID,"result":{"content":[{"type":"text","text":"$LONG"}]}}';
    const { result, after } = await callRaw({ command: process.execPath, args: [SERVER] }, text);
    expect(result).toMatchObject(FAILED);
    expect(after).toMatchObject(ALIVE);
  });

  it.each(ANSWERS)("over HTTP, as JSON: %s", async (_what, text) => {
    const { result, after } = await callRaw(await httpServer("application/json", (body) => body), text);
    expect(result).toMatchObject(FAILED);
    expect(after).toMatchObject(ALIVE);
  });

  it.each(ANSWERS)("over HTTP, as an event: %s", async (_what, text) => {
    const address = await httpServer("text/event-stream", (body) => `event: message\ndata: ${body}\n\n`);
    const { result, after } = await callRaw(address, text);
    expect(result).toMatchObject(FAILED);
    expect(after).toMatchObject(ALIVE);
  });

  it.each([
    ["nothing, as JSON", "application/json", ""],
    ["a page", "text/html", "<p>hello</p>"],
    ["an empty answer without a type", "", ""],
    ["a stream that ends", "text/event-stream", ""],
    ["an event that is not JSON", "text/event-stream", "data: {oops\n\n"],
    [
      "the answer to another request",
      "text/event-stream",
      'data: {"jsonrpc":"2.0","id":9999,"result":{}}\n\n',
    ],
  ])("over HTTP: %s", async (_what, type, body) => {
    const { result, after } = await callRaw(await httpServer(type, () => body), "");
    expect(result).toMatchObject(FAILED);
    expect(after).toMatchObject(ALIVE);
  });
});

/** A server over HTTP whose tool `raw` answers with the given text in the given format. */
async function httpServer(type: string, body: (text: string) => string): Promise<McpServerAddress> {
  const schema = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };
  const tools = ["raw", "echo"].map((name) => ({ name, inputSchema: schema }));
  const server = createServer(async (request, response) => {
    if (request.method !== "POST") return void response.writeHead(405).end();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    if (id === undefined) return void response.writeHead(202).end();
    const answer = (result: object) => json(response, { jsonrpc: "2.0", id, result });
    if (method === "initialize")
      return answer({
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "foreign", version: "1" },
      });
    if (method === "tools/list") return answer({ tools });
    if (method !== "tools/call")
      return json(response, { jsonrpc: "2.0", id, error: { code: -32601, message: "no" } });
    if (params.name === "echo") return answer({ content: [{ type: "text", text: params.arguments.text }] });
    response.writeHead(200, { "content-type": type }).end(body(params.arguments.text.replaceAll("$ID", id)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` };
}

function json(response: ServerResponse, message: object): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(message));
}

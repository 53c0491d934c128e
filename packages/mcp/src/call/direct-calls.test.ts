import { createTestRuntime } from "@haft/testing";
import { Server } from "@modelcontextprotocol/server";
import { afterEach, describe, expect, it } from "vitest";
import { type ConnectOptions, wire } from "../fixtures/connect.js";
import { NOTE_TOOLS } from "../fixtures/note-tools.js";
import { DirectCalls } from "./direct-calls.js";

type Wired = ReturnType<typeof wire>;
type Message = Record<string, never> & { readonly id?: unknown; readonly method?: string };
const open: Wired[] = [];

afterEach(() => {
  for (const { input } of open.splice(0)) input.end();
});

async function greeted(options?: ConnectOptions, capabilities: object = {}): Promise<Wired> {
  const wired = wire(options);
  open.push(wired);
  const clientInfo = { name: "raw", version: "1" };
  send(wired, 0, "initialize", { protocolVersion: "2025-06-18", capabilities, clientInfo });
  await answer(wired, 0);
  return wired;
}

function send({ input }: Wired, id: unknown, method: string, params: object): void {
  input.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
}

const messages = ({ written }: Wired): Message[] => written.map((line) => JSON.parse(line));

async function answer(wired: Wired, id: unknown): Promise<Message> {
  const find = () => messages(wired).find((message) => message.id === id && message.method === undefined);
  await expect.poll(find, { timeout: 10_000 }).toBeDefined();
  return find() as Message;
}

/** A key that the protocol reserves, which leaves the call to the SDK. */
const LEFT_TO_SDK = { _meta: { "io.modelcontextprotocol/related-task": { taskId: "t" } } };

describe("a direct call", () => {
  it.each([
    ["a value", { name: "read_note", arguments: { path: "a.txt" } }],
    ["a failure", { name: "read_note", arguments: { path: "none.txt" } }],
    ["wrong arguments", { name: "read_note", arguments: [1] }],
    ["an unknown tool", { name: "read_notes" }],
    ["images and warnings", { name: "picture", arguments: {} }],
    ["an approval that nobody can give", { name: "send", arguments: { command: "x" } }],
  ])("is answered as the SDK would answer it: %s", async (_what, params) => {
    const wired = await greeted();
    send(wired, "direct", "tools/call", params);
    send(wired, "sdk", "tools/call", { ...params, ...LEFT_TO_SDK });
    const [direct, sdk] = [await answer(wired, "direct"), await answer(wired, "sdk")];
    expect(direct).toEqual({ ...sdk, id: "direct" });
    expect(direct).toHaveProperty("result");
  });

  it("reports errors before the tool was reached as the SDK would", async () => {
    const wired = await greeted({
      open: async () => {
        throw Object.assign(new Error("there is no such folder"), { data: { folder: "x" } });
      },
    });
    send(wired, "direct", "tools/call", { name: "read_note" });
    send(wired, "sdk", "tools/call", { name: "read_note", ...LEFT_TO_SDK });
    const [direct, sdk] = [await answer(wired, "direct"), await answer(wired, "sdk")];
    expect(direct).toEqual({ ...sdk, id: "direct" });
    expect(direct).toMatchObject({ error: { code: -32603, message: "there is no such folder" } });
  });

  it("is not answered once it is cancelled, and its id may be used again", async () => {
    const wired = await greeted();
    send(wired, 1, "tools/call", { name: "slow", arguments: { steps: 1, forever: true } });
    await expect.poll(() => wired.runtimes[0]?.events.some(({ type }) => type === "progress")).toBe(true);
    wired.input.write(
      `${JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } })}\n`,
    );
    await expect
      .poll(() => wired.runtimes[0]?.events.find(({ type }) => type === "finished"))
      .toMatchObject({ result: { error: { code: "CANCELLED" } } });
    send(wired, 1, "tools/call", { name: "read_note", arguments: { path: "a.txt" } });
    expect(await answer(wired, 1)).toMatchObject({ result: { structuredContent: { content: "old\n" } } });
    expect(messages(wired).filter(({ id }) => id === 1)).toHaveLength(1);
  });

  it("reports progress under the given token, whatever other metadata there is", async () => {
    const wired = await greeted();
    const meta = { progressToken: "p", "vendor/call": 7 };
    send(wired, 1, "tools/call", { name: "slow", arguments: { steps: 2 }, _meta: meta });
    await answer(wired, 1);
    const told = messages(wired).filter(({ method }) => method === "notifications/progress");
    expect(told).toMatchObject([
      { params: { progressToken: "p", progress: 1 } },
      { params: { progressToken: "p", progress: 2 } },
    ]);
  });

  it("does not overtake earlier messages", async () => {
    const roots = ["file:///srv/a", "file:///srv/b"];
    const wired = await greeted(
      {
        options: { useClientRoots: true },
        open: async ({ root }) =>
          createTestRuntime({ tools: NOTE_TOOLS, files: { "a.txt": String(root) } }) as never,
      },
      { roots: { listChanged: true } },
    );
    wired.output.on("data", (chunk: Buffer) => {
      const { id, method } = JSON.parse(chunk.toString("utf8"));
      if (method !== "roots/list") return;
      const result = { roots: [{ uri: roots.shift() }] };
      wired.input.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
    });
    const call = (id: number) =>
      `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"read_note","arguments":{"path":"a.txt"}}}\n`;
    wired.input.write(call(1));
    expect(await answer(wired, 1)).toMatchObject({ result: { structuredContent: { content: "/srv/a" } } });
    wired.input.write(`{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}\n${call(2)}`);
    expect(await answer(wired, 2)).toMatchObject({ result: { structuredContent: { content: "/srv/b" } } });
  });

  it("is cancelled when the connection ends", async () => {
    const wired = await greeted();
    send(wired, 1, "tools/call", { name: "slow", arguments: { steps: 1, forever: true } });
    await expect.poll(() => wired.runtimes[0]?.events.some(({ type }) => type === "progress")).toBe(true);
    await wired.service.close();
    await expect
      .poll(() => wired.runtimes[0]?.events.find(({ type }) => type === "finished"))
      .toMatchObject({ result: { error: { code: "CANCELLED" } } });
    expect(messages(wired).some(({ id }) => id === 1)).toBe(false);
  });
});

describe("two calls with the same id", () => {
  it("are both cancelled by it", async () => {
    const wired = await greeted();
    const events = (kind: string) => wired.runtimes[0]?.events.filter(({ type }) => type === kind) ?? [];
    for (const count of [1, 2]) {
      send(wired, 1, "tools/call", { name: "slow", arguments: { steps: 1, forever: true } });
      await expect.poll(() => events("progress")).toHaveLength(count);
    }
    wired.input.write(
      `${JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } })}\n`,
    );
    await expect.poll(() => events("finished")).toHaveLength(2);
    for (const event of events("finished"))
      expect(event).toMatchObject({ result: { error: { code: "CANCELLED" } } });
  });
});

describe("a client that has not initialized", () => {
  it("is handled by the SDK until it has", async () => {
    const handled: string[] = [];
    const calls = new DirectCalls(async ({ tool }) => {
      handled.push(tool);
      return {};
    });
    const server = new Server({ name: "t", version: "1" });
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "read_note" } } as const;
    const offered = () => calls.take(call, async () => {});
    expect(offered()).toBe(false);
    calls.serve(server);
    expect(offered()).toBe(false);
    expect(handled).toEqual([]);
    server.getClientCapabilities = () => ({});
    expect(offered()).toBe(true);
    expect(handled).toEqual(["read_note"]);
  });

  it("is still answered", async () => {
    const wired = wire();
    open.push(wired);
    send(wired, 1, "tools/call", { name: "read_note", arguments: { path: "a.txt" } });
    expect(await answer(wired, 1)).toMatchObject({ result: { structuredContent: { content: "old\n" } } });
  });
});

import { defineTool, s } from "@haft/core";
import { afterEach, describe, expect, it } from "vitest";
import {
  connectHttp,
  type HttpClient,
  type HttpClientOptions,
  type Served,
  serve,
} from "../fixtures/http.js";
import type { HttpOptions } from "./http-options.js";

const ERAS = ["legacy", "modern"] as const;
const WRITE = { name: "write_note", arguments: { path: "a.txt", content: "new\n" } };
const served: Served[] = [];
const clients: HttpClient[] = [];

afterEach(async () => {
  for (const { client } of clients.splice(0)) await client.close().catch(() => {});
  for (const { service } of served.splice(0)) await service.close();
});

async function start(options: Partial<HttpOptions> = {}): Promise<Served> {
  const one = await serve(options);
  served.push(one);
  return one;
}

async function join({ service }: Served, options: HttpClientOptions = {}): Promise<HttpClient> {
  const client = await connectHttp(service, options);
  clients.push(client);
  return client;
}

const codeOf = (result: { _meta?: Record<string, unknown> | undefined }) =>
  (result._meta?.["haft/error"] as { code?: string } | undefined)?.code;

describe.each(ERAS)("Streamable HTTP, %s", (era) => {
  it("lists tools with both schemas and annotations, and calls them", async () => {
    const { client } = await join(await start(), { era });
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === "read_note")).toMatchObject({
      inputSchema: { type: "object" },
      outputSchema: { type: "object" },
      annotations: { readOnlyHint: true },
    });
    const result = await client.callTool({ name: "read_note", arguments: { path: "a.txt" } });
    expect(result.structuredContent).toEqual({ content: "old\n" });
  });

  it("S3.APPR prompts by elicitation and applies the approved changes", async () => {
    const running = await start();
    const answer = () => ({ action: "accept", content: { approved: true } });
    const { client, questions } = await join(running, { era, answer });
    expect((await client.callTool(WRITE)).isError).toBeFalsy();
    expect(questions).toHaveLength(1);
    expect(questions[0]?.message).toContain("write_note");
    expect(await running.runtimes[0]?.workspaceFiles()).toEqual({ "a.txt": "new\n" });
  });

  it("S3.APPR a decline denies, and a client that cannot be asked is refused", async () => {
    const running = await start();
    const declining = await join(running, { era, answer: () => ({ action: "decline" }) });
    expect(codeOf(await declining.client.callTool(WRITE))).toBe("APPROVAL_DENIED");
    const silent = await join(running, { era });
    expect(codeOf(await silent.client.callTool(WRITE))).toBe("APPROVAL_REQUIRED");
    for (const runtime of running.runtimes)
      expect(await runtime.workspaceFiles()).toEqual({ "a.txt": "old\n" });
  });

  it("reports progress while a call runs", async () => {
    const { client } = await join(await start(), { era });
    const heard: number[] = [];
    await client.callTool(
      { name: "slow", arguments: { steps: 4 } },
      { onprogress: ({ progress }) => heard.push(progress) },
    );
    expect(heard.length).toBeGreaterThan(1);
    expect(heard).toEqual([...heard].sort((a, b) => a - b));
  });

  it("a cancelled call is aborted on the server", async () => {
    const running = await start();
    const { client } = await join(running, { era });
    const ended: string[] = [];
    await client.listTools();
    running.runtimes[0]?.watch((event) => {
      if (event.type === "finished") ended.push(event.result.ok ? "ok" : event.result.error.code);
    });
    const controller = new AbortController();
    const call = client.callTool(
      { name: "slow", arguments: { steps: 1, forever: true } },
      { signal: controller.signal },
    );
    setTimeout(() => controller.abort(), 150);
    await expect(call).rejects.toThrow();
    await expect.poll(() => ended, { timeout: 5_000 }).toEqual(["CANCELLED"]);
  });

  it("arguments reach the kernel unchanged", async () => {
    const { client } = await join(await start(), { era });
    const result = await client.callTool({
      name: "read_note",
      arguments: JSON.parse('{"path":"a.txt","__proto__":{"x":1}}'),
    });
    expect(codeOf(result)).toBe("INVALID_ARGUMENTS");
  });

  it("many clients at once each get their own answers", async () => {
    const running = await start();
    const all = await Promise.all(Array.from({ length: 12 }, () => join(running, { era })));
    const answers = await Promise.all(
      all.flatMap(({ client }, index) =>
        [0, 1].map((round) => {
          const content = `client ${index} round ${round}`;
          const args = { path: `n-${index}-${round}.txt`, content };
          return client.callTool({ name: "write_note", arguments: args });
        }),
      ),
    );
    expect(answers.map(({ structuredContent }) => structuredContent)).toEqual(
      all.flatMap((_, index) => [0, 1].map((round) => ({ path: `n-${index}-${round}.txt` }))),
    );
  });
});

const Late = defineTool({
  name: "late",
  summary: "Come late.",
  category: "read",
  permissions: ["ReadFiles"],
  input: s.object({}),
  output: s.object({}),
  run: async () => ({}),
});

describe("Streamable HTTP, sessions", () => {
  it("each client has its own runtime, which ends with its session", async () => {
    const running = await start();
    const [one, two] = [await join(running), await join(running)];
    await one.client.callTool({ name: "write_note", arguments: { path: "b.txt", content: "one" } });
    const other = await two.client.callTool({ name: "read_note", arguments: { path: "b.txt" } });
    expect(codeOf(other)).toBe("FILE_NOT_FOUND");
    expect(one.transport.sessionId).not.toBe(two.transport.sessionId);
    await one.transport.terminateSession();
    const late = await running.runtimes[0]?.call("read_note", { path: "a.txt" });
    expect(late).toMatchObject({ ok: false });
    expect(await two.client.listTools()).toBeDefined();
  });

  it("announces new and removed tools", async () => {
    const running = await start();
    const { client } = await join(running);
    await client.listTools();
    let heard = 0;
    client.setNotificationHandler("notifications/tools/list_changed", () => {
      heard += 1;
    });
    await new Promise((resolve) => setTimeout(resolve, 100));
    running.runtimes[0]?.registry.register(Late);
    await expect.poll(() => heard, { timeout: 5_000 }).toBe(1);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("late");
  });

  it("takes the workspace from the client's roots", async () => {
    const running = await start({ useClientRoots: true });
    const { client } = await join(running, { roots: ["file:///tmp/somewhere"] });
    await client.listTools();
    expect(running.roots).toEqual(["/tmp/somewhere"]);
  });

  it("closes an idle session", async () => {
    const running = await start({ maxSessions: 1, sessionIdleMs: 300 });
    const first = await join(running);
    await new Promise((resolve) => setTimeout(resolve, 900));
    await expect(first.client.listTools()).rejects.toThrow(/404|not found/i);
    await expect(join(running)).resolves.toBeDefined();
  });

  it("close ends running calls, sessions and the server", async () => {
    const running = await start();
    const { client } = await join(running);
    const call = client.callTool({ name: "slow", arguments: { steps: 1, forever: true } });
    call.catch(() => {});
    await expect.poll(() => running.runtimes.length).toBe(1);
    await running.service.close();
    await running.service.closed;
    await expect(fetch(running.service.url)).rejects.toThrow();
    expect(await running.runtimes[0]?.call("read_note", { path: "a.txt" })).toMatchObject({ ok: false });
  });
});

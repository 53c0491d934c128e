import { createTestRuntime } from "@haft/testing";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { connectHttp, type HttpClient, type HttpClientOptions, serve } from "../fixtures/http.js";
import { NOTE_TOOLS } from "../fixtures/note-tools.js";
import type { HttpService } from "./http-options.js";
import { serveHttp } from "./serve-http.js";
import { Sessions } from "./sessions.js";

const IDLE_MS = 800;
const services: HttpService[] = [];
const clients: HttpClient[] = [];
afterEach(async () => {
  for (const { client } of clients.splice(0)) await client.close().catch(() => {});
  for (const service of services.splice(0)) await service.close();
});

async function join(service: HttpService, options: HttpClientOptions = {}): Promise<HttpClient> {
  services.push(service);
  const client = await connectHttp(service, options);
  clients.push(client);
  return client;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Starts a call that runs until it is aborted. Resolves once the tool reports. */
async function startCall({ client }: HttpClient, args: object): Promise<Running> {
  const aborter = new AbortController();
  let result: Promise<unknown> = Promise.resolve();
  await new Promise<void>((resolve, reject) => {
    const options = { signal: aborter.signal, onprogress: () => resolve() };
    result = client.callTool({ name: "slow", arguments: { ...args } }, options);
    result.catch(reject);
  });
  return { result, abort: () => aborter.abort() };
}

interface Running {
  readonly result: Promise<unknown>;
  abort(): void;
}

// A fake clock: on a busy machine a single request can take longer than the idle time.
describe("an idle session is closed", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] }));
  afterEach(() => void vi.useRealTimers());
  const passIdleTime = () => vi.advanceTimersByTime(3 * IDLE_MS);
  const state = ({ client }: HttpClient) =>
    client.listTools().then(
      () => "open",
      (error: Error) => error.message,
    );

  it("once the idle time has passed", async () => {
    const { service } = await serve({ sessionIdleMs: IDLE_MS });
    const joined = await join(service);
    vi.advanceTimersByTime(IDLE_MS / 2);
    expect(await state(joined)).toBe("open");
    passIdleTime();
    await expect.poll(() => state(joined), { timeout: 15_000 }).toContain("Session not found");
  });

  it("not while a call runs", async () => {
    const { service } = await serve({ sessionIdleMs: IDLE_MS });
    const joined = await join(service);
    const running = await startCall(joined, { steps: 1, forever: true });
    passIdleTime();
    expect(await state(joined)).toBe("open");
    running.abort();
    await expect(running.result).rejects.toThrow();
    expect(await state(joined)).toBe("open");
  });

  it("not during a prompt", async () => {
    const { service, runtimes } = await serve({ sessionIdleMs: IDLE_MS });
    const answer = async () => {
      passIdleTime();
      await pause(0);
      return { action: "accept", content: { approved: true } };
    };
    const { client } = await join(service, { answer });
    const args = { path: "a.txt", content: "new\n" };
    expect((await client.callTool({ name: "write_note", arguments: args })).isError).toBeFalsy();
    expect(await runtimes[0]?.workspaceFiles()).toEqual({ "a.txt": "new\n" });
  });

  it.each([true, false])("and a failure then ends nothing else, reported: %s", async (isReported) => {
    const unhandled: unknown[] = [];
    const errors: string[] = [];
    const hear = (reason: unknown) => unhandled.push(reason);
    process.on("unhandledRejection", hear);
    try {
      let ended = 0;
      const open = async () => {
        const dispose = () => {
          ended += 1;
          return Promise.reject(new Error("it does not end"));
        };
        return { ...createTestRuntime({ tools: NOTE_TOOLS }), dispose } as never;
      };
      const onError = (error: Error) => errors.push(error.message);
      const options = { version: "1", port: 0, sessionIdleMs: IDLE_MS, ...(isReported && { onError }) };
      const { client } = await join(await serveHttp(open, options));
      await client.listTools();
      passIdleTime();
      await expect.poll(() => ended, { timeout: 15_000 }).toBe(1);
      if (isReported) await expect.poll(() => errors, { timeout: 15_000 }).toContain("it does not end");
      // Node reports an unhandled rejection before the next turn.
      await pause(0);
      await pause(0);
      expect(unhandled).toEqual([]);
    } finally {
      process.off("unhandledRejection", hear);
    }
  });
});

describe("more clients than sessions", () => {
  it("the longest idle session is closed, and its client may return", async () => {
    const { service } = await serve({ maxSessions: 3 });
    const first = await join(service);
    const [second, third] = [await join(service), await join(service)];
    await first.client.listTools();
    const fourth = await join(service);
    for (const { client } of [first, third, fourth]) expect((await client.listTools()).tools).not.toEqual([]);
    await expect(second.client.listTools()).rejects.toThrow("Session not found");
    const again = await join(service);
    expect((await again.client.listTools()).tools).not.toEqual([]);
  });

  it("abandoned ones never block new sessions, in any number", async () => {
    const { service } = await serve({ maxSessions: 5 });
    for (let index = 0; index < 20; index += 1) await join(service);
    const together = await Promise.all(Array.from({ length: 5 }, () => join(service)));
    for (const { client } of together) expect((await client.listTools()).tools).not.toEqual([]);
  });

  it("never closes one with a running call or a prompt; if there is no other, the next client is told", async () => {
    const { service } = await serve({ maxSessions: 2 });
    let asked = (): void => {};
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    let reply = (): void => {};
    const answered = new Promise<void>((resolve) => {
      reply = resolve;
    });
    const answer = async () => {
      asked();
      await answered;
      return { action: "accept", content: { approved: true } };
    };
    const asking = await join(service, { answer });
    const working = await join(service);
    const write = asking.client.callTool({ name: "write_note", arguments: { path: "a.txt", content: "x" } });
    const slow = await startCall(working, { steps: 100 });
    await isAsked;
    await expect(join(service)).rejects.toThrow(/503|active sessions/);
    reply();
    expect((await write).isError).toBeFalsy();
    expect(await slow.result).toMatchObject({ structuredContent: { aborted: false } });
    expect((await (await join(service)).client.listTools()).tools).not.toEqual([]);
  });
});

describe("simultaneous clients", () => {
  const initialize = (sessions: Sessions) => {
    const params = {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "t", version: "1" },
    };
    const body = { jsonrpc: "2.0", id: 0, method: "initialize", params };
    return sessions.handle(post(body), body);
  };
  const post = (body: object, headers: object = {}) =>
    new Request("http://localhost/mcp", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...headers,
      },
      body: JSON.stringify(body),
    });

  // The number of turns that a start takes is unspecified, so this tries several.
  it("count once each: up to the limit, no session is closed", async () => {
    for (let turns = 0; turns < 60; turns += 1) {
      const open = async () => createTestRuntime({ tools: NOTE_TOOLS }) as never;
      const sessions = new Sessions(open, { version: "1", port: 0, maxSessions: 3 });
      const idle = await initialize(sessions);
      await pause(2);
      const second = initialize(sessions);
      for (let turn = 0; turn < turns; turn += 1) await null;
      const third = initialize(sessions);
      const answers = [idle, await second, await third];
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(sessions.size, `${turns} turns later`).toBe(3);
      const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
      const id = idle.headers.get("mcp-session-id");
      expect((await sessions.handle(post(ping, { "mcp-session-id": id }), ping)).status).toBe(200);
      await sessions.close();
    }
  });

  it("never exceed the limit, however they arrive", async () => {
    const open = async () => createTestRuntime({ tools: NOTE_TOOLS }) as never;
    const sessions = new Sessions(open, { version: "1", port: 0, maxSessions: 3 });
    const answers = await Promise.all(Array.from({ length: 10 }, () => initialize(sessions)));
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(3);
    expect(sessions.size).toBe(3);
    await sessions.close();
  });
});

describe("a runtime shared by several sessions", () => {
  /** The number of listeners during the life of a runtime. */
  function watched() {
    const runtime = createTestRuntime({ tools: NOTE_TOOLS });
    const listening = new Set<object>();
    const onChange = runtime.registry.onChange.bind(runtime.registry);
    runtime.registry.onChange = (listener) => {
      const stop = onChange(listener);
      listening.add(listener);
      return () => {
        listening.delete(listener);
        stop();
      };
    };
    return { runtime, listening };
  }

  it("releases sessions that ended", async () => {
    const { runtime, listening } = watched();
    const service = await serveHttp(runtime as never, { version: "1", port: 0 });
    const before = listening.size;
    const { transport } = await join(service);
    expect(listening.size).toBe(before + 1);
    await transport.terminateSession();
    await expect.poll(() => listening.size).toBe(before);
  });

  it("releases sessions that failed to start", async () => {
    const { runtime, listening } = watched();
    const errors: Error[] = [];
    const service = await serveHttp(runtime as never, {
      version: "1",
      port: 0,
      onError: (error) => errors.push(error),
      // The first request of a connection.
      get instructions(): string {
        throw new Error("no connection today");
      },
    });
    const before = listening.size;
    await expect(join(service)).rejects.toThrow();
    await expect.poll(() => listening.size).toBe(before);
    expect(errors.map(({ message }) => message).join()).toContain("no connection today");
  });
});

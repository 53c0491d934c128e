import { createTestRuntime } from "@haft/testing";
import { afterEach, describe, expect, it } from "vitest";
import { connectHttp, type HttpClient, type HttpClientSetting, serve } from "../fixtures/http.js";
import { NOTE_TOOLS } from "../fixtures/note-tools.js";
import type { HttpService } from "./http-options.js";
import { serveHttp } from "./serve-http.js";

const IDLE_MS = 800;
const services: HttpService[] = [];
const clients: HttpClient[] = [];
afterEach(async () => {
  for (const { client } of clients.splice(0)) await client.close().catch(() => {});
  for (const service of services.splice(0)) await service.close();
});

async function join(service: HttpService, setting: HttpClientSetting = {}): Promise<HttpClient> {
  services.push(service);
  const client = await connectHttp(service, setting);
  clients.push(client);
  return client;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe("a session nobody uses is closed", () => {
  it("not while a call runs", async () => {
    const { service } = await serve({ sessionIdleMs: IDLE_MS });
    const { client } = await join(service);
    const result = await client.callTool({ name: "slow", arguments: { steps: 40 } });
    expect(result.structuredContent).toEqual({ aborted: false });
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
  });

  it("not while a person is asked", async () => {
    const { service, runtimes } = await serve({ sessionIdleMs: IDLE_MS });
    const answer = async () => {
      await pause(3 * IDLE_MS);
      return { action: "accept", content: { approved: true } };
    };
    const { client } = await join(service, { answer });
    const args = { path: "a.txt", content: "new\n" };
    expect((await client.callTool({ name: "write_note", arguments: args })).isError).toBeFalsy();
    expect(await runtimes[0]?.workspaceFiles()).toEqual({ "a.txt": "new\n" });
  });

  it.each([true, false])("and what fails then ends nothing else, told: %s", async (isTold) => {
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
      const options = { version: "1", port: 0, sessionIdleMs: IDLE_MS, ...(isTold && { onError }) };
      const { client } = await join(await serveHttp(open, options));
      await client.listTools();
      await expect.poll(() => ended, { timeout: 5_000 }).toBe(1);
      await pause(100);
      expect(unhandled).toEqual([]);
      if (isTold) expect(errors).toContain("it does not end");
    } finally {
      process.off("unhandledRejection", hear);
    }
  });
});

describe("a runtime that several sessions use", () => {
  /** How many listen to a runtime for as long as it lives. */
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

  it("is let go of by those that ended", async () => {
    const { runtime, listening } = watched();
    const service = await serveHttp(runtime as never, { version: "1", port: 0 });
    const before = listening.size;
    const { transport } = await join(service);
    expect(listening.size).toBe(before + 1);
    await transport.terminateSession();
    await expect.poll(() => listening.size).toBe(before);
  });

  it("is let go of by those that came to nothing", async () => {
    const { runtime, listening } = watched();
    const errors: Error[] = [];
    const service = await serveHttp(runtime as never, {
      version: "1",
      port: 0,
      onError: (error) => errors.push(error),
      // The first thing a connection asks for.
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

import { createTestRuntime } from "@haft/testing";
import { afterEach, describe, expect, it } from "vitest";
import { connectHttp, type HttpClient, type HttpClientSetting, serve } from "../fixtures/http.js";
import { NOTE_TOOLS } from "../fixtures/note-tools.js";
import type { HttpService } from "./http-options.js";
import { serveHttp } from "./serve-http.js";

const IDLE_MS = 200;
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
    const result = await client.callTool({ name: "slow", arguments: { steps: 20 } });
    expect(result.structuredContent).toEqual({ aborted: false });
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
  });

  it("not while a person is asked", async () => {
    const { service, runtimes } = await serve({ sessionIdleMs: IDLE_MS });
    const answer = async () => {
      await pause(5 * IDLE_MS);
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
      await pause(50);
      expect(unhandled).toEqual([]);
      if (isTold) expect(errors).toContain("it does not end");
    } finally {
      process.off("unhandledRejection", hear);
    }
  });
});

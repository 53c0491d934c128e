import { ToolError } from "@haft/core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type HostileAnswer, hostileAnswers, serveRaw } from "../../test-support/hostile-answers.js";
import { guardedClient } from "./guarded-client.js";
import { nodeFetch } from "./node-fetch.js";

const OK: HostileAnswer = {
  name: "ok",
  pieces: [Buffer.from("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok")],
  leaves: "end",
};
const LONG: HostileAnswer = {
  name: "longer than its length",
  pieces: [Buffer.from("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok and more")],
  leaves: "end",
};
const ANSWERS = hostileAnswers(160, 12);
const uncaught: unknown[] = [];
const note = (error: unknown) => uncaught.push(error);
let server: Awaited<ReturnType<typeof serveRaw>>;

beforeAll(async () => {
  process.on("uncaughtExceptionMonitor", note);
  const named = new Map(Object.entries({ "/ok": OK, "/long": LONG }));
  server = await serveRaw((path) => named.get(path) ?? ANSWERS[Number(path.slice(1))]);
});
afterEach(() => expect(uncaught.splice(0)).toEqual([]));
afterAll(async () => {
  process.off("uncaughtExceptionMonitor", note);
  await server.close();
});

/** Reads slowly: the connection may end while the rest of the body waits. */
async function outcomeOf(path: string, maxBytes: number): Promise<string> {
  const client = guardedClient({ origins: [server.origin], headersMs: 1_000, maxBytes });
  const request = { url: `${server.origin}${path}`, timeoutMs: 1_500 };
  try {
    const { status } = await client.fetch(request, new AbortController().signal);
    return `status ${status}`;
  } catch (error) {
    return ToolError.is(error) ? error.code : `not a ToolError: ${String(error)}`;
  }
}

describe("answers of a hostile server", () => {
  it.each(ANSWERS.slice(0, 44).map(({ name }, index) => [name, index] as const))(
    "FR1 %s: an answer or an error, and the process lives on",
    async (_name, index) => {
      for (const maxBytes of [1_000, 5_000_000]) {
        expect(await outcomeOf(`/${index}`, maxBytes)).toMatch(
          /^(status \d+|NETWORK_ERROR|LIMIT_EXCEEDED|TIMEOUT)$/,
        );
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    },
  );

  it("FR1 more than a hundred generated answers do not end the process, alone or all at once", async () => {
    const made = ANSWERS.map((_, index) => `/${index}`).slice(44);
    const outcomes = await Promise.all(made.map((path) => outcomeOf(path, 5_000_000)));
    for (const path of made.slice(0, 40)) outcomes.push(await outcomeOf(path, 500));
    expect(outcomes.filter((outcome) => outcome.startsWith("not"))).toEqual([]);
    await new Promise((resolve) => setTimeout(resolve, 100));
  });

  it("FR1 reads a page of 400 KB without a length completely", async () => {
    const client = guardedClient({ origins: [server.origin] });
    const { body, truncated } = await client.fetch(
      { url: `${server.origin}/1` },
      new AbortController().signal,
    );
    expect([body.length, truncated]).toEqual([400_000, false]);
  });

  it.each(["/ok", "/long"])("FR1 reads the body of %s, whatever comes after it", async (path) => {
    const client = guardedClient({ origins: [server.origin] });
    const { body } = await client.fetch({ url: `${server.origin}${path}` }, new AbortController().signal);
    expect(new TextDecoder().decode(body)).toBe("ok");
    const fetched = await nodeFetch(`${server.origin}${path}`, { signal: AbortSignal.timeout(1_500) });
    expect(await fetched.text()).toBe("ok");
  });

  it("FR1 nodeFetch survives all of them, read completely, partly or not at all", async () => {
    const signal = () => AbortSignal.timeout(3_000);
    const read = async (index: number, how: number) => {
      const response = await nodeFetch(`${server.origin}/${index}`, { signal: signal() });
      if (how === 0) await response.text();
      if (how !== 1) return;
      const reader = response.body?.getReader();
      await reader?.read();
      await new Promise((resolve) => setTimeout(resolve, 10));
      await reader?.cancel();
    };
    const outcomes: PromiseSettledResult<void>[] = [];
    for (const how of [0, 1, 2])
      outcomes.push(...(await Promise.allSettled(ANSWERS.map((_, index) => read(index, how)))));
    expect(outcomes.filter(({ status }) => status === "fulfilled").length).toBeGreaterThan(100);
    const response = await nodeFetch(`${server.origin}/1`);
    expect((await response.text()).length).toBe(400_000);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }, 60_000);

  it("FR1 a redirect is an error for nodeFetch, and so is another scheme", async () => {
    await expect(nodeFetch(`${server.origin}/4`)).rejects.toThrow("redirects are not followed");
    await expect(nodeFetch("file:///etc/passwd")).rejects.toThrow("unknown scheme");
  });
});

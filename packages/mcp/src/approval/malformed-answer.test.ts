import { afterEach, describe, expect, it } from "vitest";
import { wire } from "../fixtures/connect.js";
import { serve } from "../fixtures/http.js";

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: { elicitation: {} },
    clientInfo: { name: "raw", version: "1" },
  },
};
const WRITE = { name: "write_note", arguments: { path: "a.txt", content: "new\n" } };

const open: ReturnType<typeof wire>[] = [];
afterEach(() => {
  for (const { input } of open.splice(0)) input.end();
});

/** Invalid answers that a client may send. */
const MALFORMED: readonly [string, string][] = [
  ["null", '"result":null'],
  ["true", '"result":true'],
  ["a list", '"result":[]'],
  ["a text", '"result":"accept"'],
  ["an empty object", '"result":{}'],
  ["an unknown action", '"result":{"action":"allow","content":{"approved":true}}'],
  ["content of another type", '"result":{"action":"accept","content":[true]}'],
  ["approved of another type", '"result":{"action":"accept","content":{"approved":"true"}}'],
  [
    "result and error",
    '"result":{"action":"accept","content":{"approved":true}},"error":{"code":1,"message":"x"}',
  ],
  ["an error that is none", '"error":null'],
  ["neither result nor error", '"answer":{"approved":true}'],
];

describe("FE11 a malformed elicitation answer", () => {
  it.each(MALFORMED)("%s denies at once, over stdio", async (_what, answer) => {
    const wired = wire({ capabilities: { elicitation: {} } } as never);
    open.push(wired);
    const messages = () => wired.written.map((line) => JSON.parse(line));
    const find = async (test: (message: Record<string, unknown>) => boolean) => {
      await expect.poll(() => messages().find(test), { timeout: 5_000 }).toBeDefined();
      return messages().find(test);
    };
    const send = (message: unknown) => wired.input.write(`${JSON.stringify(message)}\n`);
    send(INITIALIZE);
    send({ jsonrpc: "2.0", method: "notifications/initialized" });
    await find(({ id, result }) => id === 0 && result !== undefined);
    send({ jsonrpc: "2.0", id: 7, method: "tools/call", params: WRITE });
    const question = await find(({ method }) => method === "elicitation/create");
    wired.input.write(`{"jsonrpc":"2.0","id":${JSON.stringify(question.id)},${answer}}\n`);
    const result = await find(({ id, method }) => id === 7 && method === undefined);
    expect(result).toMatchObject({
      result: { isError: true, _meta: { "haft/error": { code: "APPROVAL_DENIED" } } },
    });
    // The schema's list of alternatives is not sent to the model.
    expect(JSON.stringify(result)).not.toContain("invalid_");
  });

  it.each(MALFORMED)("%s denies at once, over HTTP", async (_what, answer) => {
    const { service } = await serve();
    const headers: Record<string, string> = {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    };
    const post = (body: string) => fetch(service.url, { method: "POST", headers, body });
    const greeting = await post(JSON.stringify(INITIALIZE));
    headers["mcp-session-id"] = greeting.headers.get("mcp-session-id") ?? "";
    await greeting.text();
    const call = await post(JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/call", params: WRITE }));
    let text = "";
    let isAnswered = false;
    for await (const chunk of call.body as unknown as AsyncIterable<Uint8Array>) {
      text += new TextDecoder().decode(chunk);
      const asked = /"elicitation\/create"/.test(text) ? /"id":(\d+|"[^"]+")/.exec(text)?.[1] : undefined;
      if (asked === undefined || isAnswered) continue;
      isAnswered = true;
      await (await post(`{"jsonrpc":"2.0","id":${asked},${answer}}`)).text();
    }
    expect(text).toContain("APPROVAL_DENIED");
    await service.close();
  });
});

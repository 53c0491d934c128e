import { request } from "node:http";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { connectHttp, serve } from "../fixtures/http.js";
import { RawArguments } from "../transport/raw-arguments.js";
import { handleHidden } from "./message-body.js";

const call = (id: number) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name: "read_note", arguments: { path: "a.txt" } },
});

describe("handleHidden", () => {
  it.each([
    ["refused", async () => new Response("no", { status: 400 })],
    ["answered without a body", async () => new Response(null, { status: 202 })],
  ])("FR7 releases the arguments of a request that was %s at once", async (_what, answer) => {
    const rawArguments = new RawArguments();
    await handleHidden({ rawArguments, body: [call(1), call(2)] }, answer);
    expect(rawArguments.size).toBe(0);
  });

  it("FR7 releases them when handling fails, and at the end of a stream", async () => {
    const rawArguments = new RawArguments();
    const hidden = { rawArguments, body: call(1) };
    await expect(handleHidden(hidden, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
    expect(rawArguments.size).toBe(0);
    const response = await handleHidden(hidden, async () => new Response("data: x\n\n"));
    expect(rawArguments.size).toBe(1);
    expect(await response.text()).toBe("data: x\n\n");
    expect(rawArguments.size).toBe(0);
  });
});

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

function heldBytes(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Uses node:http, because fetch would keep the sent data in the memory that is measured here. */
function statusOf(url: string, headers: Record<string, string>, body: Buffer): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: "POST", headers, agent: false }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode));
    });
    sent.on("error", reject).end(body);
  });
}

describe("a refused request", () => {
  it("FR7 keeps none of its arguments", async () => {
    // A stored error would keep its stack frames, and they keep the request.
    const { service } = await serve({ onError: () => {} });
    const { client, transport } = await connectHttp(service);
    const body = Buffer.from(
      JSON.stringify({
        ...call(9),
        params: { name: "read_note", arguments: { x: "y".repeat(8e6) } },
      }),
    );
    const headers = {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-session-id": transport.sessionId ?? "",
      "mcp-protocol-version": "1999-01-01",
    };
    const before = heldBytes();
    for (let count = 0; count < 20; count += 1) {
      expect(await statusOf(service.url, headers, body)).toBe(400);
    }
    expect(heldBytes() - before).toBeLessThan(60e6);
    await client.close();
    await service.close();
  });
});

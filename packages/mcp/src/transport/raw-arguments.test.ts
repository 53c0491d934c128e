import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { type HiddenArguments, RawArguments } from "./raw-arguments.js";
import { StdioTransport } from "./stdio-transport.js";

const request = (id: number) =>
  ({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "x", arguments: { big: "b" } } }) as const;

interface Sent {
  readonly params: { readonly arguments: unknown };
}

function opened() {
  const rawArguments = new RawArguments();
  const [input, output] = [new PassThrough(), new PassThrough()];
  const transport = new StdioTransport({ input, output, rawArguments });
  const heard: unknown[] = [];
  transport.onmessage = (message) => heard.push(message);
  const receive = async (message: object) => {
    const before = heard.length;
    input.write(`${JSON.stringify(message)}\n`);
    await expect.poll(() => heard.length).toBe(before + 1);
  };
  return { rawArguments, transport, receive };
}

describe("arguments that no handler takes", () => {
  it("are released with the answer to their request", async () => {
    const { rawArguments, transport, receive } = opened();
    await transport.start();
    await receive(request(1));
    await receive(request(2));
    expect(rawArguments.size).toBe(2);
    await transport.send({ jsonrpc: "2.0", id: 1, error: { code: -32602, message: "refused before" } });
    expect(rawArguments.size).toBe(1);
  });

  it("are released when their request is cancelled", async () => {
    const { rawArguments, transport, receive } = opened();
    await transport.start();
    await receive(request(1));
    await receive({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
    expect(rawArguments.size).toBe(0);
  });
});

describe("RawArguments", () => {
  it("returns hidden arguments once, and none for an unknown token", () => {
    const raw = new RawArguments();
    const { message, release } = raw.hide(request(1)) as HiddenArguments;
    const token = (message as unknown as Sent).params.arguments;
    expect(token).not.toEqual({ big: "b" });
    expect(raw.take({ "haft/raw-arguments": "made up" })).toEqual({ "haft/raw-arguments": "made up" });
    expect(raw.take(token)).toEqual({ big: "b" });
    expect(raw.take(token)).toBe(token);
    release();
    expect(raw.size).toBe(0);
  });

  it("keeps two requests with the same id apart: several clients count from 1", () => {
    const raw = new RawArguments();
    const [first, second] = ["a", "b"].map((big) => {
      const params = { name: "x", arguments: { big } };
      const hidden = raw.hide({ ...request(1), params }) as HiddenArguments;
      return (hidden.message as unknown as Sent).params.arguments;
    });
    expect([raw.take(first), raw.take(second)]).toEqual([{ big: "a" }, { big: "b" }]);
  });

  it("leaves other messages unchanged", () => {
    const raw = new RawArguments();
    for (const message of [null, 1, [], {}, { method: "tools/list", id: 1 }, { method: "tools/call", id: 1 }])
      expect(raw.hide(message)).toBeUndefined();
  });
});

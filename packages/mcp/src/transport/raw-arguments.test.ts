import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { RawArguments } from "./raw-arguments.js";
import { StdioTransport } from "./stdio-transport.js";

const request = (id: number) =>
  ({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "x", arguments: { big: "b" } } }) as const;

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
  it("are forgotten with the answer to their request", async () => {
    const { rawArguments, transport, receive } = opened();
    await transport.start();
    await receive(request(1));
    await receive(request(2));
    expect(rawArguments.size).toBe(2);
    await transport.send({ jsonrpc: "2.0", id: 1, error: { code: -32602, message: "refused before" } });
    expect(rawArguments.size).toBe(1);
  });

  it("are forgotten when their request is cancelled", async () => {
    const { rawArguments, transport, receive } = opened();
    await transport.start();
    await receive(request(1));
    await receive({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
    expect(rawArguments.size).toBe(0);
  });
});

describe("RawArguments", () => {
  it("gives out what was hidden once, and only to the request it came with", () => {
    const raw = new RawArguments();
    const hidden = raw.hide(request(1)) as unknown as { params: { arguments: unknown } };
    const token = hidden.params.arguments;
    expect(token).not.toEqual({ big: "b" });
    expect(raw.take(2, token)).toBe(token);
    expect(raw.take(1, token)).toEqual({ big: "b" });
    expect(raw.take(1, token)).toBe(token);
  });
});

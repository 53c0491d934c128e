import { PassThrough } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { createTestRuntime } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { NOTE_TOOLS } from "../fixtures/note-tools.js";
import { serveStdio } from "../serve-stdio.js";

const CALLS = 3_000;
const NOTE_CHARS = 50_000;

function opened() {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const files = { "a.txt": "x".repeat(NOTE_CHARS) };
  const service = serveStdio(async () => createTestRuntime({ tools: NOTE_TOOLS, files }), {
    version: "1",
    input,
    output,
  });
  const send = (message: object) => input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  send({
    id: 0,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
  });
  send({ method: "notifications/initialized" });
  return { service, input, output, send };
}

describe("a client that does not read", () => {
  it("FR8 makes the server wait: the buffer stays bounded, and nothing is lost", async () => {
    const { service, input, output, send } = opened();
    for (let id = 1; id <= CALLS; id += 1)
      send({ id, method: "tools/call", params: { name: "read_note", arguments: { path: "a.txt" } } });
    await delay(1_000);
    const heldBytes = output.writableLength + output.readableLength;
    expect(heldBytes).toBeGreaterThan(NOTE_CHARS);
    expect(heldBytes).toBeLessThan(30_000_000);
    let answers = 0;
    output.on("data", (chunk: Buffer) => {
      for (let at = chunk.indexOf(0x0a); at !== -1; at = chunk.indexOf(0x0a, at + 1)) answers += 1;
    });
    await expect.poll(() => answers, { timeout: 150_000 }).toBe(CALLS + 1);
    input.end();
    await service.closed;
  }, 180_000);
});

import { parseJSONRPCMessage } from "@modelcontextprotocol/server";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { failedResponse } from "./failed-response.js";
import { readMessage } from "./read-message.js";

const TASK = { "io.modelcontextprotocol/related-task": 1 };

const piece = fc.oneof(
  fc.constantFrom<unknown>(
    "2.0",
    "1.0",
    "tools/call",
    1,
    1.5,
    2 ** 60,
    null,
    true,
    [],
    {},
    { name: "x" },
    "id",
  ),
  fc.record({
    _meta: fc.constantFrom<unknown>(
      {},
      { progressToken: 1 },
      { progressToken: {} },
      { progressToken: 1.5 },
      { progressToken: null },
      { other: 1 },
      TASK,
      [],
      1,
      null,
    ),
  }),
);
const message = fc.record(
  { jsonrpc: piece, id: piece, method: piece, params: piece, result: piece, error: piece, extra: piece },
  { requiredKeys: [] },
);

describe("readMessage", () => {
  it("FE11 accepts exactly the messages that the SDK accepts, and turns an invalid response into a failed one", () => {
    fc.assert(
      fc.property(message, fc.boolean(), fc.boolean(), (value, isNearly, isAwaited) => {
        const isAsked = () => isAwaited;
        const sent = JSON.parse(
          JSON.stringify(isNearly ? { ...value, jsonrpc: "2.0", method: "ping" } : value),
        );
        const read = readMessage({ isTooLong: false, text: JSON.stringify(sent) }, isAsked);
        const failed = failedResponse(sent, isAsked);
        expect(read !== undefined && "message" in read).toBe(isMessage(sent) || failed !== undefined);
        if (failed !== undefined) expect(read).toEqual({ message: failed });
      }),
      { numRuns: 2_000 },
    );
  });

  it("FR5 FR6 rejects a message of too many values without parsing it, and fails its request", () => {
    const many = `[${"0,".repeat(400_000)}0]`;
    const error = { code: -32600, message: "The message contains more than 300000 values" };
    const read = (text: string) => readMessage({ isTooLong: false, text }, (id) => id === 7);
    expect(read(`{"jsonrpc":"2.0","id":7,"result":{"content":${many}}}`)).toMatchObject({
      message: { jsonrpc: "2.0", id: 7, error: { message: "The response contains more than 300000 values" } },
    });
    expect(read(`{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"arguments":${many}}}`)).toEqual({
      refusal: { jsonrpc: "2.0", id: 8, error },
      reason: error.message,
    });
    const long = `{"jsonrpc":"2.0","id":9,"result":{"text":"${",".repeat(400_000)}"}}`;
    expect(read(long)).toMatchObject({ message: { id: 9, result: {} } });
  });
});

function isMessage(value: unknown): boolean {
  try {
    parseJSONRPCMessage(value);
    return true;
  } catch {
    return false;
  }
}

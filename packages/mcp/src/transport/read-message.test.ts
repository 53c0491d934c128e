import { parseJSONRPCMessage } from "@modelcontextprotocol/server";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
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
  it("takes exactly what the SDK takes for a message", () => {
    fc.assert(
      fc.property(message, fc.boolean(), (value, isNearly) => {
        const sent = JSON.parse(
          JSON.stringify(isNearly ? { ...value, jsonrpc: "2.0", method: "ping" } : value),
        );
        const read = readMessage({ isTooLong: false, text: JSON.stringify(sent) });
        expect(read !== undefined && "message" in read).toBe(isMessage(sent));
      }),
      { numRuns: 2_000 },
    );
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

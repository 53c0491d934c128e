import { describe, expect, it } from "vitest";
import { plainCall } from "./plain-call.js";

const call = (params: object) =>
  plainCall({ jsonrpc: "2.0", id: 1, method: "tools/call", params: params as Record<string, unknown> });

describe("plainCall", () => {
  it("reads name, arguments and progress token", () => {
    expect(call({ name: "x" })).toEqual({ id: 1, tool: "x", args: undefined, progressToken: undefined });
    expect(call({ name: "x", arguments: [1], _meta: { progressToken: 3, other: true } })).toEqual({
      id: 1,
      tool: "x",
      args: [1],
      progressToken: 3,
    });
  });

  it.each<[string, object]>([
    ["a name that is no text", { name: 1 }],
    ["no name", {}],
    ["a task", { name: "x", task: {} }],
    ["an answer to a question", { name: "x", inputResponses: {}, requestState: "s" }],
    ["an envelope", { name: "x", _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } }],
    ["a token that is none", { name: "x", _meta: { progressToken: {} } }],
    ["a token that is no whole number", { name: "x", _meta: { progressToken: 1.5 } }],
    ["a _meta that is none", { name: "x", _meta: null }],
    ["a key that reaches a prototype", JSON.parse('{"name":"x","__proto__":{}}')],
  ])("leaves %s to the SDK", (_what, params) => {
    expect(call(params)).toBeUndefined();
  });

  it("accepts only tool requests", () => {
    expect(plainCall({ jsonrpc: "2.0", id: 1, method: "tools/list" })).toBeUndefined();
    expect(plainCall({ jsonrpc: "2.0", method: "tools/call", params: { name: "x" } })).toBeUndefined();
    expect(plainCall({ jsonrpc: "2.0", id: 1, result: {} })).toBeUndefined();
  });
});

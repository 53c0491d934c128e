import { type JSONRPCMessage, parseJSONRPCMessage } from "@modelcontextprotocol/server";
import { isRecord } from "../call/plain-call.js";

/** Returns whether one of our requests with this id is waiting for its response. */
export type IsAsked = (id: string | number) => boolean;

/**
 * Converts an invalid response (`result: null`, `true`, neither result nor error) into an error response, so that the
 * request fails immediately. Returns undefined for everything else. A message without `result` and `error` is a
 * response only if its id belongs to a waiting request.
 */
export function failedResponse(value: unknown, isAsked: IsAsked): JSONRPCMessage | undefined {
  if (!isRecord(value) || Object.hasOwn(value, "method")) return undefined;
  const { id } = value;
  if (typeof id !== "string" && typeof id !== "number") return undefined;
  const isResponse = Object.hasOwn(value, "result") || Object.hasOwn(value, "error") || isAsked(id);
  return isResponse && !isValid(value) ? invalidResponse(id, "The response is not valid") : undefined;
}

export function invalidResponse(id: string | number, message: string): JSONRPCMessage {
  return { jsonrpc: "2.0", id, error: { code: INVALID_RESPONSE, message } };
}

const INVALID_RESPONSE = -32600;

function isValid(value: unknown): boolean {
  try {
    parseJSONRPCMessage(value);
    return true;
  } catch {
    return false;
  }
}

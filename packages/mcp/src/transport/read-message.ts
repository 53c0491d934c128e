import { type JSONRPCMessage, parseJSONRPCMessage } from "@modelcontextprotocol/server";
import { isPlainMeta, isRecord } from "../call/plain-call.js";
import type { MessageLine } from "./message-lines.js";

/** A line of input as a message, or the protocol's answer to something that is none. */
export type ReadMessage =
  | { readonly message: JSONRPCMessage }
  | { readonly refusal: JSONRPCMessage; readonly reason: string };

export function readMessage(line: MessageLine): ReadMessage | undefined {
  if (line.isTooLong) return refuse(INVALID_REQUEST, "The message is too large", idAtEitherEnd(line));
  const text = line.text.trim();
  if (text === "") return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The answer says all there is to say: the sender knows what it sent.
    return refuse(PARSE_ERROR, "The message is not JSON");
  }
  if (isPlainRequest(value)) return { message: value };
  try {
    return { message: parseJSONRPCMessage(value) };
  } catch {
    return refuse(INVALID_REQUEST, "The message is not a JSON-RPC 2.0 message", idOf(value));
  }
}

/** The commonest message, known without the SDK's reading, which takes longer than many a call. */
function isPlainRequest(value: unknown): value is JSONRPCMessage {
  if (!isRecord(value) || value.jsonrpc !== "2.0" || typeof value.method !== "string") return false;
  const { id, params } = value;
  if (typeof id !== "string" && !Number.isSafeInteger(id)) return false;
  if (params !== undefined && (!isRecord(params) || !isPlainMeta(params._meta))) return false;
  return Object.keys(value).every((key) => REQUEST_KEYS.has(key));
}

const REQUEST_KEYS = new Set(["jsonrpc", "id", "method", "params"]);

type Id = string | number | undefined;

function refuse(code: number, reason: string, id?: Id): ReadMessage {
  const refusal = { jsonrpc: "2.0", ...(id === undefined ? {} : { id }), error: { code, message: reason } };
  return { refusal: refusal as JSONRPCMessage, reason };
}

function idOf(value: unknown): Id {
  const id = (value as { readonly id?: unknown } | null)?.id;
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}

/** The id of a message nobody will parse, if it stands first or last, where clients put it. */
function idAtEitherEnd({ head, tail }: { readonly head: string; readonly tail: string }): Id {
  const found = ID_FIRST.exec(head) ?? ID_LAST.exec(tail);
  return found?.[1] === undefined ? undefined : (JSON.parse(found[1]) as Id);
}

const ID_FIRST = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d{1,15}|"[\w-]{1,100}")\s*,/;
const ID_LAST = /,\s*"id"\s*:\s*(\d{1,15}|"[\w-]{1,100}")\s*\}\s*$/;
const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;

import { hasMoreValues } from "@haft/text";
import { type JSONRPCMessage, parseJSONRPCMessage } from "@modelcontextprotocol/server";
import { isPlainMeta, isRecord } from "../call/plain-call.js";
import { failedResponse, type IsAsked, invalidResponse } from "./failed-response.js";
import type { MessageLine } from "./message-lines.js";

/** A parsed message, or the protocol's response to an invalid one. */
type ReadMessage =
  | { readonly message: JSONRPCMessage }
  | { readonly refusal: JSONRPCMessage; readonly reason: string };

export function readMessage(line: MessageLine, isAsked: IsAsked = () => false): ReadMessage | undefined {
  if (line.isTooLong) return refuseUnread(line, { what: "is too large", isAsked });
  const text = line.text.trim();
  if (text === "") return undefined;
  if (hasMoreValues(text, MAX_VALUES))
    return refuseUnread(endsOf(text), { what: `contains more than ${MAX_VALUES} values`, isAsked });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The response is sufficient: the sender knows what it sent.
    return refuse(PARSE_ERROR, "The message is not JSON");
  }
  if (isPlainRequest(value)) return { message: value };
  try {
    return { message: parseJSONRPCMessage(value) };
  } catch {
    const failed = failedResponse(value, isAsked);
    if (failed !== undefined) return { message: failed };
    return refuse(INVALID_REQUEST, "The message is not a JSON-RPC 2.0 message", idOf(value));
  }
}

/** Accepts the most common message without the SDK's parsing, which takes longer than many calls. */
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

/** A message without a method but with the id of a waiting request is its response. */
function refuseUnread(ends: MessageEnds, { what, isAsked }: { what: string; isAsked: IsAsked }): ReadMessage {
  const id = idAtEitherEnd(ends);
  const hasMethod = METHOD.test(ends.head) || METHOD.test(ends.tail);
  if (id !== undefined && !hasMethod && isAsked(id))
    return { message: invalidResponse(id, `The response ${what}`) };
  return refuse(INVALID_REQUEST, `The message ${what}`, id);
}

const METHOD = /"method"\s*:/;

function idOf(value: unknown): Id {
  const id = (value as { readonly id?: unknown } | null)?.id;
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}

/** Finds the id of an unparsed message if it is first or last, where clients put it. */
function idAtEitherEnd({ head, tail }: MessageEnds): Id {
  const found = ID_FIRST.exec(head) ?? ID_LAST.exec(tail);
  return found?.[1] === undefined ? undefined : (JSON.parse(found[1]) as Id);
}

interface MessageEnds {
  readonly head: string;
  readonly tail: string;
}

function endsOf(text: string): MessageEnds {
  return { head: text.slice(0, END_CHARS), tail: text.slice(-END_CHARS) };
}

const END_CHARS = 512;
// Parsing this many values takes at most a tenth of a second.
const MAX_VALUES = 300_000;
const ID_FIRST = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d{1,15}|"[\w-]{1,100}")\s*,/;
const ID_LAST = /,\s*"id"\s*:\s*(\d{1,15}|"[\w-]{1,100}")\s*\}\s*$/;
const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;

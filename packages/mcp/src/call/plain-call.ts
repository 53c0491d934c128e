import type { JSONRPCMessage } from "@modelcontextprotocol/server";

/** A tool call that uses only features common to all protocol revisions. */
export interface PlainCall {
  readonly id: RequestId;
  readonly tool: string;
  readonly args: unknown;
  readonly progressToken: string | number | undefined;
  readonly trace: TraceContext | undefined;
}

export type TraceContext = Readonly<Record<string, string>>;

export type RequestId = string | number;

/** Returns undefined for other messages, and for calls the SDK must handle. */
export function plainCall(message: JSONRPCMessage): PlainCall | undefined {
  if (!("method" in message) || message.method !== "tools/call" || !("id" in message)) return undefined;
  const params: Readonly<Record<string, unknown>> = message.params ?? {};
  const { name: tool, arguments: args, _meta: meta } = params;
  if (typeof tool !== "string" || !isPlainMeta(meta)) return undefined;
  for (const key in params) if (!CALL_KEYS.has(key)) return undefined;
  return { id: message.id, tool, args, progressToken: meta?.progressToken, trace: traceOf(meta) };
}

/** Returns the W3C trace context in `_meta`. */
export function traceOf(meta: Readonly<Record<string, unknown>> | undefined): TraceContext | undefined {
  if (typeof meta?.traceparent !== "string") return undefined;
  const found = TRACE_KEYS.flatMap((key) => (typeof meta[key] === "string" ? [[key, meta[key]]] : []));
  return Object.fromEntries(found) as TraceContext;
}

const TRACE_KEYS = ["traceparent", "tracestate", "baggage"] as const;

/** Accepts metadata without keys reserved by the protocol. */
export function isPlainMeta(meta: unknown): meta is { readonly progressToken?: RequestId } | undefined {
  if (meta === undefined) return true;
  if (!isRecord(meta)) return false;
  for (const key in meta) if (key.startsWith(RESERVED)) return false;
  const { progressToken: token } = meta;
  return token === undefined || typeof token === "string" || Number.isSafeInteger(token);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const CALL_KEYS = new Set(["name", "arguments", "_meta"]);
const RESERVED = "io.modelcontextprotocol/";

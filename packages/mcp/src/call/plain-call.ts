import type { JSONRPCMessage } from "@modelcontextprotocol/server";

/** A request for a tool that says nothing but what every revision of the protocol lets it say. */
export interface PlainCall {
  readonly id: RequestId;
  readonly tool: string;
  readonly args: unknown;
  readonly progressToken: string | number | undefined;
}

export type RequestId = string | number;

/** Undefined for every other message, and for a call with something to it that the SDK has to read. */
export function plainCall(message: JSONRPCMessage): PlainCall | undefined {
  if (!("method" in message) || message.method !== "tools/call" || !("id" in message)) return undefined;
  const params: Readonly<Record<string, unknown>> = message.params ?? {};
  const { name: tool, arguments: args, _meta: meta } = params;
  if (typeof tool !== "string" || !isPlainMeta(meta)) return undefined;
  for (const key in params) if (!CALL_KEYS.has(key)) return undefined;
  return { id: message.id, tool, args, progressToken: meta?.progressToken };
}

/** What a message may carry beside its content, without a key that the protocol reserves. */
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

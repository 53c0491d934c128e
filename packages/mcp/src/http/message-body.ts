import { isJsonContentType } from "@modelcontextprotocol/server";
import type { RawArguments } from "../transport/raw-arguments.js";
import { refusal } from "./request-guard.js";

/** What a request carries: a message or several, nothing, or an answer to what cannot be read. */
export type MessageBody = { readonly body: unknown } | { readonly refused: Response };

export async function messageBody(request: Request): Promise<MessageBody> {
  if (request.method !== "POST") return { body: undefined };
  if (!isJsonContentType(request.headers.get("content-type"))) {
    return { refused: refusal(415, "Content-Type must be application/json") };
  }
  try {
    return { body: JSON.parse(await request.text()) };
  } catch {
    // The sender knows what it sent.
    return { refused: refusal(400, "Parse error: the body is not JSON", PARSE_ERROR) };
  }
}

/** The same body with tokens where arguments of calls were. Those nobody takes are let go of soon. */
export function withHiddenArguments(rawArguments: RawArguments, body: unknown): unknown {
  const hide = (message: unknown) => {
    const hidden = rawArguments.hide(message);
    if (hidden === undefined) return message;
    setTimeout(() => hidden.release(), UNTAKEN_MS).unref();
    return hidden.message;
  };
  return Array.isArray(body) ? body.map(hide) : hide(body);
}

const PARSE_ERROR = -32700;
const UNTAKEN_MS = 30_000;

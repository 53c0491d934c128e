import { isJsonContentType } from "@modelcontextprotocol/server";
import { failedResponse } from "../transport/failed-response.js";
import type { HiddenArguments, RawArguments } from "../transport/raw-arguments.js";
import { refusal } from "./request-guard.js";

/** The body of a request, or the response to one that cannot be read. */
type MessageBody = { readonly body: unknown } | { readonly refused: Response };

export async function messageBody(request: Request): Promise<MessageBody> {
  if (request.method !== "POST") return { body: undefined };
  if (!isJsonContentType(request.headers.get("content-type"))) {
    return { refused: refusal(415, "Content-Type must be application/json") };
  }
  try {
    const body: unknown = JSON.parse(await request.text());
    // Only a client with a session can receive requests, so its messages without a method are responses.
    const isAsked = () => request.headers.has("mcp-session-id");
    const withFailed = (message: unknown) => failedResponse(message, isAsked) ?? message;
    return { body: Array.isArray(body) ? body.map(withFailed) : withFailed(body) };
  } catch {
    // The sender knows what it sent.
    return { refused: refusal(400, "Parse error: the body is not JSON", PARSE_ERROR) };
  }
}

/**
 * Handles a body whose call arguments are replaced by tokens. Releases arguments that no handler took as soon as the
 * request is answered, because they can be as large as the body.
 */
export async function handleHidden(
  { rawArguments, body }: { readonly rawArguments: RawArguments; readonly body: unknown },
  handle: (body: unknown) => Promise<Response>,
): Promise<Response> {
  const hidden: HiddenArguments[] = [];
  const hide = (message: unknown) => {
    const one = rawArguments.hide(message);
    if (one !== undefined) hidden.push(one);
    return one?.message ?? message;
  };
  const release = () => {
    for (const one of hidden) one.release();
  };
  try {
    const response = await handle(Array.isArray(body) ? body.map(hide) : hide(body));
    const isOpen = response.ok && hidden.some((one) => one.isHeld());
    return isOpen ? whenRead(response, release) : released(response, release);
  } catch (error) {
    release();
    throw error;
  }
}

function released(response: Response, release: () => void): Response {
  release();
  return response;
}

/** Releases at the end of a stream whose request may not have reached its handler yet. */
function whenRead(response: Response, release: () => void): Response {
  if (response.body === null) return released(response, release);
  const { status, statusText, headers } = response;
  const body = response.body.pipeThrough(new TransformStream({ flush: release }));
  return new Response(body, { status, statusText, headers });
}

const PARSE_ERROR = -32700;

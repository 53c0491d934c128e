import { ModelError } from "../model/model-error.js";
import { saysContextIsFull } from "../model/reported-error.js";

/** Converts an error response, using the server's message if it has one. */
export async function responseError(response: Response): Promise<ModelError> {
  const body = await readStart(response).catch(() => "");
  const message = `The model server responded with ${response.status}: ${messageIn(body) || response.statusText}`;
  const { status } = response;
  if (status === 429)
    return new ModelError("MODEL_OVERLOADED", message, { retryable: true, retryAfterMs: waitOf(response) });
  if (status >= 500 || status === 408)
    return new ModelError("MODEL_FAILED", message, { retryable: true, retryAfterMs: waitOf(response) });
  const code = isContextFull(status, body) ? "CONTEXT_FULL" : "MODEL_REFUSED";
  return new ModelError(code, message, { retryable: false });
}

function isContextFull(status: number, body: string): boolean {
  return (status === 400 || status === 413 || status === 422) && saysContextIsFull(body);
}

/** Reads the beginning of a body. */
async function readStart({ body }: Response): Promise<string> {
  if (body === null) return "";
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (!done) text += value;
    if (!done && text.length < MAX_BODY) continue;
    await reader.cancel().catch(() => {});
    return text;
  }
}

const MAX_BODY = 64 * 1024;

function messageIn(body: string): string {
  try {
    const { error } = JSON.parse(body) as { error?: { message?: unknown } | string };
    const message = typeof error === "string" ? error : error?.message;
    if (typeof message === "string") return message;
  } catch {
    // Proxies return pages of their own, so the text is used.
  }
  return body.trim();
}

/** Accepts seconds, a date, or the milliseconds some servers add. */
function waitOf({ headers }: Response): number | undefined {
  const exact = Number(headers.get("retry-after-ms") ?? Number.NaN);
  if (exact >= 0) return exact;
  const given = headers.get("retry-after");
  if (given === null) return undefined;
  const seconds = Number(given);
  const waitMs = Number.isNaN(seconds) ? Date.parse(given) - Date.now() : seconds * 1000;
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs);
}

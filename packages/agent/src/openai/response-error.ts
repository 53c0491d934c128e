import { ModelError } from "../model/model-error.js";

/** Why a server would not answer, in its own words where it has any. */
export async function responseError(response: Response): Promise<ModelError> {
  const said = await firstWords(response).catch(() => "");
  const message = `The model's server answered ${response.status}: ${wordsOf(said) || response.statusText}`;
  const { status } = response;
  if (status === 429)
    return new ModelError("MODEL_OVERLOADED", message, { retryable: true, retryAfterMs: waitOf(response) });
  if (status >= 500 || status === 408)
    return new ModelError("MODEL_FAILED", message, { retryable: true, retryAfterMs: waitOf(response) });
  return new ModelError("MODEL_REFUSED", message, { retryable: false });
}

/** As much of a body as words are taken from. */
async function firstWords({ body }: Response): Promise<string> {
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

function wordsOf(body: string): string {
  try {
    const { error } = JSON.parse(body) as { error?: { message?: unknown } | string };
    const message = typeof error === "string" ? error : error?.message;
    if (typeof message === "string") return message;
  } catch {
    // Proxies answer with pages of their own; their text is all there is.
  }
  return body.trim();
}

/** Seconds, a date, or the milliseconds that some servers add. */
function waitOf({ headers }: Response): number | undefined {
  const exact = Number(headers.get("retry-after-ms") ?? Number.NaN);
  if (exact >= 0) return exact;
  const given = headers.get("retry-after");
  if (given === null) return undefined;
  const seconds = Number(given);
  const waitMs = Number.isNaN(seconds) ? Date.parse(given) - Date.now() : seconds * 1000;
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs);
}

import { messageOf } from "@haft/core";
import { ModelError } from "../model/model-error.js";
import type { IdleTimer } from "./idle-timer.js";

/** Yields the chunks of a response body. Throws ModelError if the connection breaks or the body is too large. */
export async function* bytesOf({ body }: Response, timer: IdleTimer): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  const reader = body.getReader();
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      timer.reset();
      size += value.length;
      if (size > MAX_ANSWER_BYTES) throw tooLarge();
      yield value;
    }
  } catch (cause) {
    if (ModelError.is(cause)) throw cause;
    timer.signal.throwIfAborted();
    const message = `The model's response was interrupted: ${messageOf(cause)}`;
    throw new ModelError("STREAM_CUT", message, { retryable: true, cause });
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** Far more than a turn needs, even if every delta is tiny and its frame hundreds of bytes. */
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;

function tooLarge(): ModelError {
  return new ModelError("MODEL_OUTPUT_TOO_LARGE", "The model server's response exceeds the size limit", {
    retryable: false,
  });
}

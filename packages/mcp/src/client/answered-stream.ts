import { isRecord } from "../call/plain-call.js";
import { failedResponse, invalidResponse } from "../transport/failed-response.js";

/**
 * Passes the event stream of one request through. Adds an error response if a message with the request's id is not a
 * response, or if the stream ends without one; the SDK would keep waiting. Streams with event ids may end early,
 * because the SDK resumes them.
 */
export function answeredStream(id: string | number): TransformStream<Uint8Array, Uint8Array> {
  const watch = new AnswerWatch(id);
  const add = (controller: TransformStreamDefaultController<Uint8Array>, messages: Iterable<object>) => {
    for (const message of messages)
      controller.enqueue(new TextEncoder().encode(`\n\ndata: ${JSON.stringify(message)}\n\n`));
  };
  return new TransformStream({
    transform: (chunk, controller) => {
      controller.enqueue(chunk);
      add(controller, watch.read(chunk));
    },
    flush: (controller) => add(controller, watch.end()),
  });
}

/** Follows the events of a stream and yields the missing error responses. Linear in the length of the stream. */
class AnswerWatch {
  readonly #id: string | number;
  readonly #decoder = new TextDecoder();
  /** Pieces of an incomplete line. */
  #line: string[] = [];
  #data: string[] = [];
  #isAfterCr = false;
  #isAnswered = false;
  #isResumable = false;

  constructor(id: string | number) {
    this.#id = id;
  }

  *read(chunk: Uint8Array): Generator<object> {
    const decoded = this.#decoder.decode(chunk, { stream: true });
    const text = this.#isAfterCr && decoded.startsWith("\n") ? decoded.slice(1) : decoded;
    if (decoded !== "") this.#isAfterCr = decoded.endsWith("\r");
    const parts = text.split(/\r\n|\n|\r/);
    const last = parts.pop() ?? "";
    for (const part of parts) {
      const line = [...this.#line, part].join("");
      this.#line = [];
      const failed = this.#take(line);
      if (failed !== undefined) yield failed;
    }
    if (last !== "") this.#line.push(last);
  }

  *end(): Generator<object> {
    if (!this.#isAnswered && !this.#isResumable)
      yield invalidResponse(this.#id, "The stream ended without a response");
  }

  #take(line: string): object | undefined {
    if (line === "") return this.#endEvent();
    const [, field, value = ""] = /^(data|id)(?:: ?([\s\S]*))?$/.exec(line) ?? [];
    if (field === "data") this.#data.push(value);
    if (field === "id" && value !== "") this.#isResumable = true;
    return undefined;
  }

  #endEvent(): object | undefined {
    const message = this.#isAnswered ? undefined : jsonOf(this.#data.join("\n"));
    this.#data = [];
    const isAsked = (id: unknown) => String(id) === String(this.#id);
    if (!isRecord(message) || Object.hasOwn(message, "method") || !isAsked(message.id)) return undefined;
    this.#isAnswered = true;
    return failedResponse(message, isAsked);
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

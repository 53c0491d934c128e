import { nodeFetch } from "@haft/runtime-node/host";
import { isRecord } from "../call/plain-call.js";
import { AnswerMeter } from "./answer-meter.js";
import { answeredStream } from "./answered-stream.js";

/**
 * Fetches from an untrusted server: follows no redirects, limits the size of a response, and ensures that an event
 * stream contains a response to its request. Streams are limited per event, because they may last as long as the
 * connection.
 */
export async function boundedFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const answer = boundedAnswer(await nodeFetch(input, init), { bytes: 64 * 1024 * 1024, values: 300_000 });
  const id = requestId(init);
  return id === undefined || !isEventStream(answer) ? answer : piped(answer, answeredStream(id));
}

/** Returns the id of the request in a POST. Undefined for responses and notifications. */
function requestId({ method, body }: RequestInit = {}): string | number | undefined {
  if (method !== "POST" || typeof body !== "string") return undefined;
  const message: unknown = JSON.parse(body);
  if (!isRecord(message) || !Object.hasOwn(message, "method")) return undefined;
  const { id } = message;
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}

function isEventStream({ headers }: Response): boolean {
  return headers.get("content-type")?.trim().toLowerCase().startsWith("text/event-stream") === true;
}

function piped(response: Response, through: TransformStream<Uint8Array, Uint8Array>): Response {
  const { status, statusText, headers, body } = response;
  return body === null ? response : new Response(body.pipeThrough(through), { status, statusText, headers });
}

interface AnswerLimits {
  readonly bytes: number;
  /** JSON values; parsing this many takes at most a tenth of a second. */
  readonly values: number;
}

export function boundedAnswer(response: Response, limits: AnswerLimits): Response {
  const meter = new AnswerMeter(isEventStream(response));
  const bounded = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      const { bytes, values } = meter.add(chunk);
      if (bytes > limits.bytes)
        controller.error(new Error(`the response is larger than ${limits.bytes} bytes`));
      else if (values > limits.values)
        controller.error(new Error(`the response contains more than ${limits.values} values`));
      else controller.enqueue(chunk);
    },
  });
  return piped(response, bounded);
}

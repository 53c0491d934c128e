import { messageOf } from "@haft/core";
import { toOpenAiTools } from "@haft/prompt-formatter";
import type { ModelClient, ModelDelta, ModelRequest } from "../model/model-client.js";
import { ModelError } from "../model/model-error.js";
import { IdleTimer } from "./idle-timer.js";
import { ChunkReader } from "./read-chunk.js";
import { withoutSecrets } from "./redact-secrets.js";
import { responseError } from "./response-error.js";
import { sseData } from "./sse-data.js";
import { wireMessages } from "./wire-messages.js";

export interface OpenAiModelOptions {
  /** Up to and with the version, such as `https://api.openai.com/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** More members of the request, such as `temperature`. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** Ask for the answer in pieces. A server that sends it whole is understood either way. Default: true. */
  readonly stream?: boolean;
  /** How long the server may send nothing. Default: 120 s. */
  readonly idleTimeoutMs?: number;
  readonly fetch?: typeof fetch;
}

/** A model behind any endpoint that speaks OpenAI's chat completions. One request is one attempt. */
export function openAiModel(options: OpenAiModelOptions): ModelClient {
  return { stream: (request, signal) => streamAnswer(options, request, signal) };
}

async function* streamAnswer(
  options: OpenAiModelOptions,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelDelta> {
  const timer = new IdleTimer(signal, options.idleTimeoutMs ?? DEFAULT_IDLE_MS);
  try {
    const response = await send(options, request, timer.signal);
    timer.heard();
    if (!response.ok) throw await responseError(response);
    yield* isStream(response) ? pieces(response, timer) : whole(response, timer);
  } catch (thrown) {
    throw ModelError.is(thrown) ? withoutSecrets(thrown, options) : thrown;
  } finally {
    timer.end();
  }
}

const DEFAULT_IDLE_MS = 120_000;

async function send(
  options: OpenAiModelOptions,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<Response> {
  const { baseUrl, apiKey, headers, fetch: send = fetch } = options;
  const url = `${baseUrl.endsWith("/") ? baseUrl.slice(0, -1) : baseUrl}/chat/completions`;
  try {
    return await send(url, {
      method: "POST",
      signal,
      headers: {
        "content-type": "application/json",
        accept: "text/event-stream, application/json",
        ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
        ...headers,
      },
      body: JSON.stringify(requestBody(options, request)),
    });
  } catch (cause) {
    signal.throwIfAborted();
    const why = messageOf((cause as { cause?: unknown }).cause ?? cause);
    const retryable = !NEVER_REACHABLE.test(why);
    throw new ModelError("MODEL_UNREACHABLE", `${url} cannot be reached: ${why}`, { retryable, cause });
  }
}

/** What fetch says of an address that it does not even try. */
const NEVER_REACHABLE = /^(bad port|unknown scheme|invalid url|failed to parse url|.*includes credentials)/i;

function requestBody(options: OpenAiModelOptions, { messages, tools, toolChoice }: ModelRequest): object {
  const { model, stream = true, body } = options;
  return {
    model,
    messages: wireMessages(messages),
    ...(tools.length > 0 && { tools: toOpenAiTools(tools), tool_choice: toolChoice }),
    stream,
    ...(stream && { stream_options: { include_usage: true } }),
    ...body,
  };
}

function isStream({ headers }: Response): boolean {
  return (headers.get("content-type") ?? "").toLowerCase().startsWith("text/event-stream");
}

async function* pieces(response: Response, timer: IdleTimer): AsyncGenerator<ModelDelta> {
  const reader = new ChunkReader();
  for await (const data of sseData(bytesOf(response, timer))) {
    if (data === "[DONE]") {
      if (!reader.hasFinished) yield reader.finish();
      return;
    }
    yield* reader.read(data);
  }
}

async function* whole(response: Response, timer: IdleTimer): AsyncGenerator<ModelDelta> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of bytesOf(response, timer)) text += decoder.decode(chunk, { stream: true });
  const reader = new ChunkReader();
  const deltas = readWhole(reader, text + decoder.decode(), response);
  if (deltas.length === 0 || (!reader.hasFinished && deltas.every(({ type }) => type === "usage")))
    throw new ModelError("MODEL_PROTOCOL", "The server's answer is no chat completion", {
      retryable: false,
    });
  yield* deltas;
  if (!reader.hasFinished) yield reader.finish();
}

/** JSON that ends too early was cut; what was never said to be JSON comes from something else than a model's server. */
function readWhole(reader: ChunkReader, text: string, { headers, url }: Response): readonly ModelDelta[] {
  const type = headers.get("content-type") ?? "no content type";
  try {
    return reader.read(text);
  } catch (cause) {
    if (!ModelError.is(cause) || cause.code !== "STREAM_CUT" || /json/i.test(type)) throw cause;
    const message = `${url} answered with ${type}: neither an event stream nor a chat completion. Is the base URL right, up to and with the version?`;
    throw new ModelError("MODEL_PROTOCOL", message, { retryable: false, cause });
  }
}

async function* bytesOf({ body }: Response, timer: IdleTimer): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  const reader = body.getReader();
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      timer.heard();
      size += value.length;
      if (size > MAX_ANSWER_BYTES) throw tooLarge();
      yield value;
    }
  } catch (cause) {
    if (ModelError.is(cause)) throw cause;
    timer.signal.throwIfAborted();
    const message = `The model's answer broke off: ${messageOf(cause)}`;
    throw new ModelError("STREAM_CUT", message, { retryable: true, cause });
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** Far above what one turn takes, also as deltas of a few bytes each in frames of hundreds. */
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;

function tooLarge(): ModelError {
  return new ModelError("MODEL_OUTPUT_TOO_LARGE", "The model's server sent more for one turn than is taken", {
    retryable: false,
  });
}

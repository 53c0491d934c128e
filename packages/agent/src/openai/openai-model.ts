import { messageOf } from "@haft/core";
import { toOpenAiTools } from "@haft/prompt-formatter";
import type { ModelClient, ModelDelta, ModelRequest } from "../model/model-client.js";
import { ModelError } from "../model/model-error.js";
import { IdleTimer } from "./idle-timer.js";
import { ChunkReader } from "./read-chunk.js";
import { withoutSecrets } from "./redact-secrets.js";
import { bytesOf } from "./response-bytes.js";
import { responseError } from "./response-error.js";
import { sseData } from "./sse-data.js";
import { wireMessages } from "./wire-messages.js";

export interface OpenAiModelOptions {
  /** Includes the version, such as `https://api.openai.com/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Additional fields of the request, such as `temperature`. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** Request a stream. Complete responses are accepted either way. Default: true. */
  readonly stream?: boolean;
  /** How long the server may send no data. Default: 120 s. */
  readonly idleTimeoutMs?: number;
  readonly fetch?: typeof fetch;
}

/** Connects a model behind an OpenAI-compatible chat completions endpoint. Makes one attempt per request. */
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
    timer.reset();
    if (!response.ok) throw await responseError(response);
    const reader = new ChunkReader(serverOf(options));
    yield* isStream(response) ? readStream(response, timer, reader) : readResponse(response, timer, reader);
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

/** Errors of fetch for addresses it does not even try. */
const NEVER_REACHABLE = /^(bad port|unknown scheme|invalid url|failed to parse url|.*includes credentials)/i;

function requestBody(options: OpenAiModelOptions, { messages, tools, toolChoice }: ModelRequest): object {
  const { model, stream = true, body } = options;
  return {
    model,
    messages: wireMessages(messages, serverOf(options)),
    ...(tools.length > 0 && { tools: toOpenAiTools(tools), tool_choice: toolChoice }),
    stream,
    ...(stream && { stream_options: { include_usage: true } }),
    ...body,
  };
}

/** Names the server in stored call data, by its host only. */
function serverOf({ baseUrl }: OpenAiModelOptions): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : "";
}

function isStream({ headers }: Response): boolean {
  return (headers.get("content-type") ?? "").toLowerCase().startsWith("text/event-stream");
}

async function* readStream(
  response: Response,
  timer: IdleTimer,
  reader: ChunkReader,
): AsyncGenerator<ModelDelta> {
  let malformed: ModelError | undefined;
  for await (const data of sseData(bytesOf(response, timer))) {
    if (malformed !== undefined) throw malformed;
    if (data === "[DONE]") {
      if (!reader.hasFinished) yield reader.finish();
      return;
    }
    try {
      yield* reader.read(data);
    } catch (thrown) {
      if (!ModelError.is(thrown) || thrown.code !== "MALFORMED_ANSWER") throw thrown;
      malformed = thrown;
    }
  }
  // The last message is incomplete because the stream ended inside it.
  if (malformed !== undefined)
    throw new ModelError("STREAM_CUT", "The model's response ended in the middle of a message", {
      retryable: true,
      cause: malformed,
    });
}

async function* readResponse(
  response: Response,
  timer: IdleTimer,
  reader: ChunkReader,
): AsyncGenerator<ModelDelta> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of bytesOf(response, timer)) text += decoder.decode(chunk, { stream: true });
  const deltas = parseResponse(reader, text + decoder.decode(), response);
  if (deltas.length === 0 || (!reader.hasFinished && deltas.every(({ type }) => type === "usage")))
    throw new ModelError("MODEL_PROTOCOL", "The server's response is not a chat completion", {
      retryable: false,
    });
  yield* deltas;
  if (!reader.hasFinished) yield reader.finish();
}

/** A response that does not claim to be JSON does not come from a model server. */
function parseResponse(reader: ChunkReader, text: string, { headers, url }: Response): readonly ModelDelta[] {
  const type = headers.get("content-type") ?? "no content type";
  try {
    return reader.read(text);
  } catch (cause) {
    if (!ModelError.is(cause) || cause.code !== "MALFORMED_ANSWER") throw cause;
    if (/json/i.test(type)) throw isCut(text) ? cutShort(cause) : cause;
    const message = `${url} returned ${type}, which is neither an event stream nor a chat completion. Check the base URL; it must include the version.`;
    throw new ModelError("MODEL_PROTOCOL", message, { retryable: false, cause });
  }
}

/** JSON that begins as an object and has no end. */
function isCut(text: string): boolean {
  return /^\s*\{/.test(text) && !/\}\s*$/.test(text);
}

function cutShort(cause: unknown): ModelError {
  const message = "The model's response ended in the middle of its JSON";
  return new ModelError("MALFORMED_ANSWER", message, { retryable: true, cause });
}

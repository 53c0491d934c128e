import { messageOf } from "@haft/core";
import { toOpenAiTools } from "@haft/prompt-formatter";
import type * as Ai from "ai";
import type { ModelClient, ModelDelta, ModelRequest } from "../model/model-client.js";
import { ModelError } from "../model/model-error.js";
import { reportedError, saysContextIsFull } from "../model/reported-error.js";
import { aiSdkMessages } from "./ai-sdk-messages.js";
import { PartReader } from "./read-part.js";

/** The parts of the `ai` module in use, so that the host chooses its version. */
export type AiSdk = Pick<typeof Ai, "streamText" | "jsonSchema" | "tool" | "APICallError">;

export interface AiSdkModelOptions {
  /** The module itself: `import * as ai from "ai"`, in a version that matches the model. */
  readonly sdk: AiSdk;
  readonly model: Ai.LanguageModel;
  /** Reasoning effort, if the provider supports it. */
  readonly effort?: string;
}

/** Connects a model of any provider with an AI SDK package. Makes one attempt per request; the loop retries. */
export function aiSdkModel(options: AiSdkModelOptions): ModelClient {
  return { stream: (request, signal) => streamAnswer(options, request, signal) };
}

async function* streamAnswer(
  { sdk, model, effort }: AiSdkModelOptions,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelDelta> {
  const { fullStream } = sdk.streamText({
    model,
    messages: aiSdkMessages(request.messages),
    // As a message, our system prompt can be marked as cacheable. Version 7 rejects that by default.
    allowSystemInMessages: true,
    ...(request.tools.length > 0 && { tools: toolSet(request, sdk), toolChoice: request.toolChoice }),
    ...(effort !== undefined && { providerOptions: effortOptions(effort) }),
    maxRetries: 0,
    abortSignal: signal,
    // Errors arrive as part of the stream; the default handler would print them.
    onError: () => {},
  });
  const reader = new PartReader();
  try {
    for await (const part of fullStream) {
      if (part.type === "error") throw part.error;
      yield* reader.read(part);
    }
  } catch (cause) {
    signal.throwIfAborted();
    throw modelError(cause, sdk);
  }
  signal.throwIfAborted();
}

/** Omits `execute`, so that calls return to the loop, which executes them through the runtime. */
function toolSet({ tools }: ModelRequest, { tool, jsonSchema }: AiSdk): Ai.ToolSet {
  const entries = toOpenAiTools(tools).map(({ function: { name, description, parameters } }) => [
    name,
    tool({ description, inputSchema: jsonSchema<unknown>(parameters as never) }),
  ]);
  return Object.fromEntries(entries) as Ai.ToolSet;
}

/** Each provider reads the options under its own name and ignores the rest. */
function effortOptions(effort: string) {
  return {
    anthropic: { effort },
    openai: { reasoningEffort: effort },
    google: { thinkingConfig: { thinkingLevel: effort } },
  };
}

function modelError(cause: unknown, { APICallError }: AiSdk): ModelError {
  if (ModelError.is(cause)) return cause;
  if (!(cause instanceof Error)) return reportedError(cause, "The provider");
  const message = messageOf(cause);
  if (!APICallError.isInstance(cause)) {
    const isCut = /terminated|aborted|socket|network|ECONN/i.test(message);
    return new ModelError(isCut ? "STREAM_CUT" : "MODEL_FAILED", message, { retryable: isCut, cause });
  }
  const { statusCode, isRetryable, responseHeaders } = cause;
  if (saysContextIsFull(`${message} ${cause.responseBody ?? ""}`))
    return new ModelError("CONTEXT_FULL", message, { retryable: false, cause });
  if (statusCode === undefined)
    return new ModelError("MODEL_UNREACHABLE", message, { retryable: true, cause });
  const isBusy = statusCode === 429 || statusCode === 529;
  const code = isBusy ? "MODEL_OVERLOADED" : statusCode >= 500 ? "MODEL_FAILED" : "MODEL_REFUSED";
  return new ModelError(code, `The provider responded with ${statusCode}: ${message}`, {
    retryable: isRetryable || isBusy || statusCode >= 500,
    retryAfterMs: retryAfterMs(responseHeaders?.["retry-after"]),
    cause,
  });
}

function retryAfterMs(header: string | undefined): number | undefined {
  const seconds = Number(header);
  if (header !== undefined && header.trim() !== "" && Number.isFinite(seconds))
    return Math.max(0, seconds * 1000);
  const at = Date.parse(header ?? "");
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}

import type { CallSignature } from "../event/proposed-call.js";
import type { FinishReason, Usage } from "../event/run-event.js";
import type { ModelDelta } from "../model/model-client.js";
import { ModelError } from "../model/model-error.js";
import { reportedError } from "../model/reported-error.js";

/** Parses the chunks of a streamed response, and complete responses. Tolerates fields that servers omit. */
export class ChunkReader {
  #lastIndex = -1;
  readonly #ids = new Map<number, string>();
  #offset = 0;
  readonly #server: string;
  hasFinished = false;

  /** `server` names the provider that signatures belong to. */
  constructor(server: string) {
    this.#server = server;
  }

  /** Returns the deltas of one chunk. Throws ModelError if the server reports a failure or sends invalid data. */
  read(text: string): readonly ModelDelta[] {
    const chunk = parseChunk(text);
    if (chunk.error !== undefined && chunk.error !== null)
      throw reportedError(chunk.error, "The model server");
    const choice = chunk.choices?.[0];
    const deltas: ModelDelta[] = [];
    const message = choice?.delta ?? choice?.message;
    if (message !== undefined && message !== null) deltas.push(...this.#messageDeltas(message));
    const usage = usageOf(chunk.usage);
    if (usage !== undefined) deltas.push({ type: "usage", usage });
    if (typeof choice?.finish_reason === "string") deltas.push(this.finish(choice.finish_reason));
    return deltas;
  }

  /** Returns the end of the response. Without a reason it counts as a normal stop. */
  finish(reason = this.#lastIndex >= 0 ? "tool_calls" : "stop"): ModelDelta {
    this.hasFinished = true;
    return { type: "finish", reason: FINISH_REASONS[reason] ?? "stop" };
  }

  #messageDeltas({ content, reasoning_content, reasoning, tool_calls }: WireDelta): readonly ModelDelta[] {
    const thought = reasoning_content ?? reasoning;
    return [
      ...(typeof thought === "string" && thought !== ""
        ? [{ type: "reasoning" as const, delta: thought }]
        : []),
      ...(typeof content === "string" && content !== "" ? [{ type: "text" as const, delta: content }] : []),
      ...(Array.isArray(tool_calls) ? tool_calls.map((call) => this.#callDelta(call)) : []),
    ];
  }

  #callDelta({ index, id, function: named, extra_content }: WireCallDelta): ModelDelta {
    const place = this.#placeOf(index, id ?? undefined, named?.name ?? undefined);
    const args = named?.arguments ?? "";
    return {
      type: "call",
      index: place,
      ...(id && { id }),
      ...(named?.name && { name: named.name }),
      args: typeof args === "string" ? args : JSON.stringify(args),
      ...this.#signature(extra_content),
    };
  }

  /** Gemini signs its calls and rejects a conversation without the signatures. */
  #signature(extra: WireCallDelta["extra_content"]): { readonly signature?: CallSignature } {
    const value = extra?.google?.thought_signature;
    return typeof value === "string" ? { signature: { by: this.#server, value } } : {};
  }

  /** Some servers omit the index, others repeat the same one. A new id then starts a new call. */
  #placeOf(index: number | undefined, id: string | undefined, name: string | undefined): number {
    const given = typeof index === "number" ? index + this.#offset : undefined;
    const known = given === undefined ? undefined : this.#ids.get(given);
    const isAnother = known !== undefined && id !== undefined && id !== known && name !== undefined;
    const isNew = given === undefined && (id !== undefined || name !== undefined || this.#lastIndex < 0);
    if (isAnother) this.#offset += this.#lastIndex + 1 - (given ?? 0);
    const place = isNew || isAnother ? this.#lastIndex + 1 : (given ?? this.#lastIndex);
    this.#lastIndex = Math.max(this.#lastIndex, place);
    if (id !== undefined && !this.#ids.has(place)) this.#ids.set(place, id);
    return place;
  }
}

interface WireChunk {
  readonly error?: unknown;
  readonly choices?: readonly {
    readonly delta?: WireDelta | null;
    readonly message?: WireDelta | null;
    readonly finish_reason?: string | null;
  }[];
  readonly usage?: { readonly prompt_tokens?: number; readonly completion_tokens?: number } | null;
}

interface WireDelta {
  readonly content?: string | null;
  readonly reasoning_content?: string | null;
  readonly reasoning?: string | null;
  readonly tool_calls?: readonly WireCallDelta[] | null;
}

interface WireCallDelta {
  readonly index?: number;
  readonly id?: string | null;
  readonly function?: { readonly name?: string | null; readonly arguments?: unknown };
  readonly extra_content?: { readonly google?: { readonly thought_signature?: unknown } | null } | null;
}

const FINISH_REASONS: Readonly<Record<string, FinishReason>> = {
  stop: "stop",
  tool_calls: "tool_calls",
  function_call: "tool_calls",
  length: "length",
  content_filter: "content_filter",
};

function parseChunk(text: string): WireChunk {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value;
  } catch (cause) {
    throw new ModelError("MALFORMED_ANSWER", "The model server's response is not JSON", {
      retryable: true,
      cause,
    });
  }
  throw new ModelError("MODEL_PROTOCOL", "The server's response is not a chat completion", {
    retryable: false,
  });
}

function usageOf(usage: WireChunk["usage"]): Usage | undefined {
  if (usage === undefined || usage === null) return undefined;
  return { inputTokens: usage.prompt_tokens ?? 0, outputTokens: usage.completion_tokens ?? 0 };
}

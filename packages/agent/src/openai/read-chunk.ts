import type { FinishReason, Usage } from "../event/run-event.js";
import type { ModelDelta } from "../model/model-client.js";
import { ModelError } from "../model/model-error.js";

/** Reads the chunks of one streamed answer, and answers that come whole; servers differ in what they leave out. */
export class ChunkReader {
  #lastIndex = -1;
  readonly #ids = new Map<number, string>();
  #offset = 0;
  hasFinished = false;

  /** The deltas of one chunk. Throws ModelError when the server reports a failure or talks nonsense. */
  read(text: string): readonly ModelDelta[] {
    const chunk = parseChunk(text);
    if (chunk.error !== undefined) throw serverError(chunk.error);
    const choice = chunk.choices?.[0];
    const deltas: ModelDelta[] = [];
    const message = choice?.delta ?? choice?.message;
    if (message !== undefined && message !== null) deltas.push(...this.#messageDeltas(message));
    const usage = usageOf(chunk.usage);
    if (usage !== undefined) deltas.push({ type: "usage", usage });
    if (typeof choice?.finish_reason === "string") deltas.push(this.finish(choice.finish_reason));
    return deltas;
  }

  /** What ends the answer; a server that says it is done without saying why has just stopped. */
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

  #callDelta({ index, id, function: named }: WireCallDelta): ModelDelta {
    const place = this.#placeOf(index, id ?? undefined, named?.name ?? undefined);
    const args = named?.arguments ?? "";
    return {
      type: "call",
      index: place,
      ...(id && { id }),
      ...(named?.name && { name: named.name }),
      args: typeof args === "string" ? args : JSON.stringify(args),
    };
  }

  /** Some servers leave the index out, and some give every call the same one: then a new id is a new call. */
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
    throw new ModelError("STREAM_CUT", "The model's answer broke off in the middle of a message", {
      retryable: true,
      cause,
    });
  }
  throw new ModelError("MODEL_PROTOCOL", "The server's answer is no chat completion", { retryable: false });
}

function serverError(error: unknown): ModelError {
  const message = (error as { message?: unknown })?.message ?? error;
  const text = typeof message === "string" ? message : JSON.stringify(message);
  return new ModelError("MODEL_FAILED", `The model's server reports: ${text.slice(0, MAX_WORDS)}`, {
    retryable: true,
  });
}

// Far more than is shown: it is cut when nothing in it is secret any more.
const MAX_WORDS = 64 * 1024;

function usageOf(usage: WireChunk["usage"]): Usage | undefined {
  if (usage === undefined || usage === null) return undefined;
  return { inputTokens: usage.prompt_tokens ?? 0, outputTokens: usage.completion_tokens ?? 0 };
}

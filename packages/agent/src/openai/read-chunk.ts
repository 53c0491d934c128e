import type { CallSignature } from "../event/proposed-call.js";
import type { FinishReason } from "../event/run-event.js";
import type { ModelDelta } from "../model/model-client.js";
import { reportedError } from "../model/reported-error.js";
import {
  contentOf,
  isObject,
  parseChunk,
  textOf,
  usageOf,
  type WireCallDelta,
  type WireDelta,
} from "./wire-chunk.js";

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
    if (isObject(message)) deltas.push(...this.#messageDeltas(message));
    const usage = usageOf(chunk.usage);
    if (usage !== undefined) deltas.push({ type: "usage", usage });
    if (typeof choice?.finish_reason === "string") deltas.push(this.finish(choice.finish_reason));
    return deltas;
  }

  /** Returns the end of the response. Without a reason it counts as a normal stop. */
  finish(reason = this.#lastIndex >= 0 ? "tool_calls" : "stop"): ModelDelta {
    this.hasFinished = true;
    return { type: "finish", reason: FINISH_REASONS.get(reason) ?? "stop" };
  }

  #messageDeltas({ content, reasoning_content, reasoning, tool_calls }: WireDelta): readonly ModelDelta[] {
    const { text, thought } = contentOf(content);
    const reasoned = textOf(reasoning_content) || textOf(reasoning) || thought;
    return [
      ...(reasoned === "" ? [] : [{ type: "reasoning" as const, delta: reasoned }]),
      ...(text === "" ? [] : [{ type: "text" as const, delta: text }]),
      ...(Array.isArray(tool_calls) ? tool_calls.filter(isObject).map((call) => this.#callDelta(call)) : []),
    ];
  }

  #callDelta({ index, id: givenId, function: named, extra_content }: WireCallDelta): ModelDelta {
    const id = typeof givenId === "number" ? String(givenId) : textOf(givenId);
    const name = textOf(named?.name);
    const place = this.#placeOf(index, id || undefined, name || undefined);
    const args = named?.arguments ?? "";
    return {
      type: "call",
      index: place,
      ...(id !== "" && { id }),
      ...(name !== "" && { name }),
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

const FINISH_REASONS: ReadonlyMap<string, FinishReason> = new Map([
  ["stop", "stop"],
  ["tool_calls", "tool_calls"],
  ["function_call", "tool_calls"],
  ["length", "length"],
  ["content_filter", "content_filter"],
]);

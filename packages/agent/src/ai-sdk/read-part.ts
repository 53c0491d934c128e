import type { TextStreamPart, ToolSet } from "ai";
import type { CallSignature } from "../event/proposed-call.js";
import type { FinishReason } from "../event/run-event.js";
import type { ModelDelta } from "../model/model-client.js";

/** Converts the parts of an AI SDK stream into deltas. Providers send calls in pieces or complete. */
export class PartReader {
  readonly #calls = new Map<string, { readonly index: number; hasArgs: boolean }>();

  read(part: TextStreamPart<ToolSet>): readonly ModelDelta[] {
    switch (part.type) {
      case "text-delta":
        return [{ type: "text", delta: part.text }];
      case "reasoning-delta":
        return [{ type: "reasoning", delta: part.text }];
      case "tool-input-start":
        return [this.#open(part.id, part.toolName)];
      case "tool-input-delta":
        return this.#more(part.id, part.delta);
      case "tool-call":
        return this.#whole(part);
      case "finish":
        return [...usageOf(part.totalUsage), { type: "finish", reason: this.#finish(part.finishReason) }];
      default:
        return [];
    }
  }

  #open(id: string, name: string): ModelDelta {
    const index = this.#calls.size;
    this.#calls.set(id, { index, hasArgs: false });
    return { type: "call", index, id, name, args: "" };
  }

  #more(id: string, delta: string): readonly ModelDelta[] {
    const call = this.#calls.get(id);
    if (call === undefined || delta === "") return [];
    call.hasArgs = true;
    return [{ type: "call", index: call.index, args: delta }];
  }

  #whole({ toolCallId: id, toolName: name, input, providerMetadata }: WholeCall): readonly ModelDelta[] {
    const opened = this.#calls.has(id) ? [] : [this.#open(id, name)];
    const call = this.#calls.get(id);
    if (call === undefined) return opened;
    const signature = signatureIn(providerMetadata);
    const signed =
      signature === undefined ? [] : [{ type: "call" as const, index: call.index, args: "", signature }];
    if (call.hasArgs) return [...opened, ...signed];
    const args = typeof input === "string" ? input : JSON.stringify(input ?? {});
    return [...opened, ...this.#more(id, args), ...signed];
  }

  #finish(reason: string): FinishReason {
    if (reason === "length" || reason === "stop")
      return this.#calls.size > 0 && reason === "stop" ? "tool_calls" : reason;
    if (reason === "content-filter") return "content_filter";
    return this.#calls.size > 0 ? "tool_calls" : "stop";
  }
}

interface WholeCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
  readonly providerMetadata?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;
}

/** Gemini signs its calls and rejects a conversation without the signatures. */
function signatureIn(metadata: WholeCall["providerMetadata"] = {}): CallSignature | undefined {
  for (const [by, { thoughtSignature }] of Object.entries(metadata))
    if (typeof thoughtSignature === "string") return { by, value: thoughtSignature };
  return undefined;
}

function usageOf(usage: {
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
}): readonly ModelDelta[] {
  const { inputTokens, outputTokens } = usage;
  if (inputTokens === undefined && outputTokens === undefined) return [];
  return [{ type: "usage", usage: { inputTokens: inputTokens ?? 0, outputTokens: outputTokens ?? 0 } }];
}

import type { Usage } from "../event/run-event.js";
import { ModelError } from "../model/model-error.js";

/** A chunk of a streamed response, or a complete response, as servers send it. Any field may be missing or wrong. */
export interface WireChunk {
  readonly error?: unknown;
  readonly choices?: readonly {
    readonly delta?: WireDelta | null;
    readonly message?: WireDelta | null;
    readonly finish_reason?: string | null;
  }[];
  readonly usage?: unknown;
}

export interface WireDelta {
  readonly content?: unknown;
  readonly reasoning_content?: unknown;
  readonly reasoning?: unknown;
  readonly tool_calls?: readonly WireCallDelta[] | null;
}

export interface WireCallDelta {
  readonly index?: number;
  readonly id?: unknown;
  readonly function?: { readonly name?: unknown; readonly arguments?: unknown } | null;
  readonly extra_content?: { readonly google?: { readonly thought_signature?: unknown } | null } | null;
}

export function parseChunk(text: string): WireChunk {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
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

/** Returns the text and the reasoning of a message. Some servers send a list of parts instead of a string. */
export function contentOf(content: unknown): { readonly text: string; readonly thought: string } {
  if (!Array.isArray(content)) return { text: textOf(content), thought: "" };
  const parts = content.filter(isObject);
  const join = (type: string) =>
    parts.flatMap((part) => (part.type === type ? [contentOf(part[type]).text] : [])).join("");
  return { text: join("text"), thought: join("thinking") };
}

/** Returns undefined if the server reports no usage. Counts that are no numbers of tokens are 0. */
export function usageOf(usage: unknown): Usage | undefined {
  if (!isObject(usage)) return undefined;
  return { inputTokens: countOf(usage.prompt_tokens), outputTokens: countOf(usage.completion_tokens) };
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function isObject<T>(value: T): value is T & Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function countOf(value: unknown): number {
  return Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : 0;
}

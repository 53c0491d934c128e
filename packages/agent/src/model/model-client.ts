import type { Content, ImageContent, ToolDescription } from "@haft/core";
import type { CallSignature } from "../event/proposed-call.js";
import type { FinishReason, Usage } from "../event/run-event.js";

/** A model that can call tools. Makes one attempt per request; the loop retries. */
export interface ModelClient {
  /** Rejects with `ModelError`. A stream that ends without `finish` is incomplete. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelDelta>;
}

export interface ModelRequest {
  readonly messages: readonly ModelMessage[];
  /** In the runtime's dialect. The client converts them, with `terminate`, to its provider's format. */
  readonly tools: readonly ToolDescription[];
  /** "none" on the closing turn: tools are listed but must not be called. */
  readonly toolChoice: "auto" | "none";
}

export type ModelMessage =
  | { readonly role: "system"; readonly text: string }
  | { readonly role: "user"; readonly text: string; readonly images?: readonly ImageContent[] }
  | { readonly role: "assistant"; readonly text: string; readonly calls: readonly MessageCall[] }
  | {
      readonly role: "tool";
      readonly callId: string;
      readonly tool: string;
      readonly content: readonly Content[];
    };

export interface MessageCall {
  readonly id: string;
  readonly name: string;
  /** Always valid JSON. */
  readonly args: string;
  readonly signature?: CallSignature;
}

export type ModelDelta =
  | { readonly type: "text"; readonly delta: string }
  | { readonly type: "reasoning"; readonly delta: string }
  /** Part of a call. The first part of an index has the name, and the id if the server sends one. */
  | {
      readonly type: "call";
      readonly index: number;
      readonly id?: string | undefined;
      readonly name?: string | undefined;
      readonly args: string;
      readonly signature?: CallSignature | undefined;
    }
  | { readonly type: "usage"; readonly usage: Usage }
  | { readonly type: "finish"; readonly reason: FinishReason };

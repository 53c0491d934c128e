import type { Content, ToolDescription } from "@haft/core";
import type { FinishReason, Usage } from "../event/run-event.js";

/** Any model that can call tools. One request is one attempt: the loop does the retrying. */
export interface ModelClient {
  /** Rejects with `ModelError`; a stream that ends without `finish` was cut. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelDelta>;
}

export interface ModelRequest {
  readonly messages: readonly ModelMessage[];
  /** In the runtime's dialect; a client puts them, with `terminate`, into its provider's form. */
  readonly tools: readonly ToolDescription[];
  /** "none" on the closing turn: the tools are still shown, and must not be called. */
  readonly toolChoice: "auto" | "none";
}

export type ModelMessage =
  | { readonly role: "system"; readonly text: string }
  | { readonly role: "user"; readonly text: string }
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
  /** Valid JSON, whatever the model had written. */
  readonly args: string;
}

export type ModelDelta =
  | { readonly type: "text"; readonly delta: string }
  | { readonly type: "reasoning"; readonly delta: string }
  /** A piece of a call; the first of an index brings the name, an id if the server gives any. */
  | {
      readonly type: "call";
      readonly index: number;
      readonly id?: string | undefined;
      readonly name?: string | undefined;
      readonly args: string;
    }
  | { readonly type: "usage"; readonly usage: Usage }
  | { readonly type: "finish"; readonly reason: FinishReason };

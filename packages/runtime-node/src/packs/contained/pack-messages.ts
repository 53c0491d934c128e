import type { ImageContent, Progress } from "@haft/core";

/** Messages from the process of a contained pack. `run` is the number of the call. */
export type FromPack = { readonly run?: number } & (
  | { readonly type: "ready"; readonly tools: readonly ReportedTool[] }
  | { readonly type: "failed" | "threw"; readonly error: ErrorData }
  | { readonly type: "done"; readonly bytes: Uint8Array }
  | { readonly type: "died"; readonly message: string }
  | { readonly type: "report"; readonly progress: Progress }
  | { readonly type: "warn"; readonly message: string }
  | { readonly type: "attach"; readonly image: ImageContent }
  | Request
);

/** A tool's request to its context. The answer has the same id. */
export type Request = { readonly id: number } & (
  | {
      readonly type: "call";
      readonly target: "workspace" | "network";
      readonly name: string;
      readonly args: readonly unknown[];
    }
  | { readonly type: "open"; readonly name: string; readonly args: readonly unknown[] }
  | { readonly type: "next"; readonly stream: number }
);

/** The data of a definition, and the names of its functions. */
export interface ReportedTool {
  readonly data: Readonly<Record<string, unknown>> & { readonly name: string; readonly inject?: number };
  readonly functions: readonly string[];
}

export interface ErrorData {
  readonly message: string;
  readonly code?: string;
  readonly hint?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly next?: { readonly tool: string; readonly args: Readonly<Record<string, unknown>> };
}

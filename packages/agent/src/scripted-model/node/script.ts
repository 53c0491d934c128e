/** What the model does in one turn. */
export interface ScriptedTurn {
  readonly text?: string;
  readonly reasoning?: string;
  readonly calls?: readonly ScriptedCall[];
  /** Why it stops. Default: what fits the turn. */
  readonly finish?: string;
  /** Answers with this status instead. */
  readonly fail?: number;
  /** With `fail`: the value of the header, in seconds or as a date. */
  readonly retryAfter?: number | string;
  /** Breaks the connection after this many events of the stream. */
  readonly cut?: number;
  /** Says nothing at all. */
  readonly hang?: boolean;
  /** Waits before it answers. */
  readonly delayMs?: number;
  /** The body of the answer, byte by byte, instead of one made from the turn. */
  readonly raw?: string;
  /** With `raw`. Default: `text/event-stream`. */
  readonly contentType?: string;
}

export interface ScriptedCall {
  readonly name: string;
  /** A text is sent as it is, be it JSON or not. */
  readonly args?: unknown;
  /** Made up when left out; "" sends none. */
  readonly id?: string;
}

/** The turns in order, or what makes one from the request and its number, counted from 1. */
export type Script = readonly ScriptedTurn[] | ((body: ChatRequest, n: number) => ScriptedTurn);

/** A request as it was received. */
export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly { readonly function: { readonly name: string; readonly parameters: object } }[];
  readonly tool_choice?: string;
  readonly stream?: boolean;
}

export interface ChatMessage {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: unknown;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
}

/** Asked for more turns than the script has, the model says so and stops: a test that expected fewer fails. */
export function turnOf(script: Script, body: ChatRequest, n: number): ScriptedTurn {
  if (typeof script === "function") return script(body, n);
  return script[n - 1] ?? { text: "The script has no more turns." };
}

/** The model's behaviour in one turn. */
export interface ScriptedTurn {
  readonly text?: string;
  readonly reasoning?: string;
  readonly calls?: readonly ScriptedCall[];
  /** The finish reason. Default: derived from the turn. */
  readonly finish?: string;
  /** Responds with this status instead. */
  readonly fail?: number;
  /** With `fail`: the error message. */
  readonly message?: string;
  /** The input tokens it reports. Default: 100. */
  readonly inputTokens?: number;
  /** With `fail`: the Retry-After header, in seconds or as a date. */
  readonly retryAfter?: number | string;
  /** Breaks the connection after this many events. */
  readonly cut?: number;
  /** Never responds. */
  readonly hang?: boolean;
  /** Delay before the response. */
  readonly delayMs?: number;
  /** Delay after each event. */
  readonly paceMs?: number;
  /** The exact body of the response, instead of one built from the turn. */
  readonly raw?: string;
  /** With `raw`. Default: `text/event-stream`. */
  readonly contentType?: string;
}

export interface ScriptedCall {
  readonly name: string;
  /** A string is sent unchanged, whether or not it is JSON. */
  readonly args?: unknown;
  /** Generated if omitted; "" sends none. */
  readonly id?: string;
}

/** The turns in order, or a function of the request and its number, counted from 1. */
export type Script = readonly ScriptedTurn[] | ((body: ChatRequest, n: number) => ScriptedTurn);

/** A received request. */
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

/** Beyond the end of the script, the model stops with a message, so that a test expecting fewer turns fails. */
export function turnOf(script: Script, body: ChatRequest, n: number): ScriptedTurn {
  if (typeof script === "function") return script(body, n);
  return script[n - 1] ?? { text: "The script has no more turns." };
}

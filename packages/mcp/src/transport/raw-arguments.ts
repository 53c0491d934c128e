import type { JSONRPCMessage } from "@modelcontextprotocol/server";

/**
 * Carries the arguments of tools/call past the SDK, which would drop `__proto__`, reject non-objects and traverse
 * megabytes. Only the kernel validates them. The caller that hides arguments must release them.
 */
export class RawArguments {
  readonly #held = new Map<string, unknown>();

  /** Returns the message with a token in place of the arguments. Undefined if there are none. */
  hide(message: unknown): HiddenArguments | undefined {
    if (!isCall(message) || !Object.hasOwn(message.params, "arguments")) return undefined;
    const token = crypto.randomUUID();
    this.#held.set(token, message.params.arguments);
    return {
      message: { ...message, params: { ...message.params, arguments: { [TOKEN_KEY]: token } } },
      isHeld: () => this.#held.has(token),
      release: () => this.#held.delete(token),
    };
  }

  /** Returns the arguments behind a token. Returns other arguments unchanged. */
  take(args: unknown): unknown {
    const token = (args as Readonly<Record<string, unknown>> | undefined)?.[TOKEN_KEY];
    if (typeof token !== "string" || !this.#held.has(token)) return args;
    const held = this.#held.get(token);
    this.#held.delete(token);
    return held;
  }

  get size(): number {
    return this.#held.size;
  }
}

export interface HiddenArguments {
  readonly message: JSONRPCMessage;
  /** False once a handler has taken the arguments. */
  isHeld(): boolean;
  release(): void;
}

type Call = JSONRPCMessage & { readonly params: Readonly<Record<string, unknown>> };

function isCall(message: unknown): message is Call {
  if (typeof message !== "object" || message === null) return false;
  const { method, id, params } = message as Readonly<Record<string, unknown>>;
  return method === "tools/call" && id !== undefined && typeof params === "object" && params !== null;
}

const TOKEN_KEY = "haft/raw-arguments";

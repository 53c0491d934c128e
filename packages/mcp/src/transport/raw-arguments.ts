import type { JSONRPCMessage } from "@modelcontextprotocol/server";

/**
 * Carries the arguments of tools/call past the SDK's own reading of them, which would drop
 * `__proto__`, refuse what is not an object, and walk through megabytes. So that the kernel, and
 * nothing before it, says what is wrong with them. Whoever hides them lets go of them in the end.
 */
export class RawArguments {
  readonly #held = new Map<string, unknown>();

  /** The same message with a token where the arguments were; undefined when there are none to hide. */
  hide(message: unknown): HiddenArguments | undefined {
    if (!isCall(message) || !Object.hasOwn(message.params, "arguments")) return undefined;
    const token = crypto.randomUUID();
    this.#held.set(token, message.params.arguments);
    return {
      message: { ...message, params: { ...message.params, arguments: { [TOKEN_KEY]: token } } },
      release: () => this.#held.delete(token),
    };
  }

  /** What stood behind a token; arguments that came another way are returned as they are. */
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
  release(): void;
}

type Call = JSONRPCMessage & { readonly params: Readonly<Record<string, unknown>> };

function isCall(message: unknown): message is Call {
  if (typeof message !== "object" || message === null) return false;
  const { method, id, params } = message as Readonly<Record<string, unknown>>;
  return method === "tools/call" && id !== undefined && typeof params === "object" && params !== null;
}

const TOKEN_KEY = "haft/raw-arguments";

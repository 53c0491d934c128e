import type { JSONRPCMessage } from "@modelcontextprotocol/server";

/**
 * Carries the arguments of tools/call past the SDK's own reading of them, which would drop
 * `__proto__`, refuse what is not an object, and walk through megabytes. So that the kernel, and
 * nothing before it, says what is wrong with them.
 */
export class RawArguments {
  readonly #held = new Map<string, unknown>();

  /** The same message with a token where the arguments were. */
  hide(message: JSONRPCMessage): JSONRPCMessage {
    if (!("method" in message) || !("id" in message) || message.method !== "tools/call") return message;
    const { params } = message;
    if (params === undefined || !Object.hasOwn(params, "arguments")) return message;
    const token = crypto.randomUUID();
    this.#held.set(token, params.arguments);
    return { ...message, params: { ...params, arguments: { [TOKEN_KEY]: token } } };
  }

  /** What stood behind a token; arguments that came another way are returned as they are. */
  take(args: unknown): unknown {
    const token = (args as Readonly<Record<string, unknown>> | undefined)?.[TOKEN_KEY];
    if (typeof token !== "string" || !this.#held.has(token)) return args;
    const raw = this.#held.get(token);
    this.#held.delete(token);
    return raw;
  }
}

const TOKEN_KEY = "haft/raw-arguments";

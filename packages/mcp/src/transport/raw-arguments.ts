import type { JSONRPCMessage } from "@modelcontextprotocol/server";

type RequestId = string | number;

/**
 * Carries the arguments of tools/call past the SDK's own reading of them, which would drop
 * `__proto__`, refuse what is not an object, and walk through megabytes. So that the kernel, and
 * nothing before it, says what is wrong with them. What is held is held no longer than its request.
 */
export class RawArguments {
  readonly #held = new Map<RequestId, Held>();

  /** The same message with a token where the arguments were. */
  hide(message: JSONRPCMessage): JSONRPCMessage {
    if (!("method" in message) || !("id" in message) || message.method !== "tools/call") return message;
    const { params } = message;
    if (params === undefined || !Object.hasOwn(params, "arguments")) return message;
    const token = crypto.randomUUID();
    this.#held.set(message.id, { token, args: params.arguments });
    return { ...message, params: { ...params, arguments: { [TOKEN_KEY]: token } } };
  }

  /** What stood behind a request's token; arguments that came another way are returned as they are. */
  take(id: RequestId, args: unknown): unknown {
    const held = this.#held.get(id);
    const token = (args as Readonly<Record<string, unknown>> | undefined)?.[TOKEN_KEY];
    if (held === undefined || held.token !== token) return args;
    this.#held.delete(id);
    return held.args;
  }

  /** The request was answered or cancelled, whether or not anybody took its arguments. */
  forget(id: RequestId): void {
    this.#held.delete(id);
  }

  get size(): number {
    return this.#held.size;
  }
}

interface Held {
  readonly token: string;
  readonly args: unknown;
}

const TOKEN_KEY = "haft/raw-arguments";

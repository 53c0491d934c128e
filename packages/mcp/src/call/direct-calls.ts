import type { JSONRPCMessage, Server } from "@modelcontextprotocol/server";
import { type CallClient, directClient } from "./call-client.js";
import { type PlainCall, plainCall, type RequestId } from "./plain-call.js";

/**
 * Answers the calls of a 2025 client beside the SDK, which reads every request and every result through a
 * dozen schemas: that takes longer than many a call. A request whose shape is plain needs none of it, as
 * the kernel judges the arguments, nor does a result that was made here. The rest is left to the SDK.
 */
export class DirectCalls {
  readonly #handle: HandleCall;
  readonly #running = new Map<RequestId, AbortController>();
  // Signals are dear, and one that never aborted has nobody left who waits for it when its call is over.
  readonly #spare: AbortController[] = [];
  #server: Server | undefined;

  constructor(handle: HandleCall) {
    this.#handle = handle;
  }

  /** Calls that are offered from now on belong to this connection. */
  serve(server: Server): void {
    this.#server = server;
  }

  /** Whether it took a message. What it took it answers, unless it is cancelled. */
  take(message: JSONRPCMessage, send: Send): boolean {
    const call = plainCall(message);
    const server = this.#server;
    // Before it has introduced itself, what a client may do is for the SDK to say.
    if (call === undefined || server?.getClientCapabilities() === undefined) return false;
    // A second call under an id: what cancels it goes to both, the first here and the second there.
    if (this.#running.has(call.id)) return false;
    void this.#answer(call, server, send);
    return true;
  }

  cancel(id: RequestId, reason: unknown): void {
    this.#running.get(id)?.abort(reason);
  }

  close(): void {
    for (const controller of this.#running.values()) controller.abort(new Error("The connection was closed"));
  }

  async #answer(call: PlainCall, server: Server, send: Send): Promise<void> {
    const { id, progressToken } = call;
    const controller = this.#spare.pop() ?? new AbortController();
    const { signal } = controller;
    this.#running.set(id, controller);
    try {
      const answer = await this.#handle(call, directClient(server, { signal, progressToken })).then(
        (result) => ({ jsonrpc: "2.0", id, result }),
        (cause) => ({ jsonrpc: "2.0", id, error: errorOf(cause) }),
      );
      if (!signal.aborted) await send(answer as JSONRPCMessage);
    } catch (cause) {
      server.onerror?.(new Error("An answer could not be sent", { cause }));
    } finally {
      this.#running.delete(id);
      if (!signal.aborted) this.#spare.push(controller);
    }
  }
}

export type HandleCall = (call: PlainCall, client: CallClient) => Promise<object>;
type Send = (message: JSONRPCMessage) => Promise<void>;

/** As the SDK words it: what was not thrown with a code of the protocol is an internal error. */
function errorOf(cause: unknown): { code: number; message: string; data?: unknown } {
  const { code, message, data } = (cause ?? {}) as { code?: unknown; message?: unknown; data?: unknown };
  return {
    code: Number.isSafeInteger(code) ? (code as number) : INTERNAL_ERROR,
    message: typeof message === "string" ? message : "Internal error",
    ...(data === undefined ? {} : { data }),
  };
}

const INTERNAL_ERROR = -32603;

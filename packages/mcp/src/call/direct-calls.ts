import type { JSONRPCMessage, Server } from "@modelcontextprotocol/server";
import { type CallClient, directClient } from "./call-client.js";
import { type PlainCall, plainCall, type RequestId } from "./plain-call.js";

/**
 * Executes plain calls of 2025 clients without the SDK, which validates every request and result against a dozen
 * schemas; that takes longer than many calls. The kernel validates the arguments, and results created here need no
 * check. All other messages go to the SDK.
 */
export class DirectCalls {
  readonly #handle: HandleCall;
  readonly #running = new Map<RequestId, AbortController>();
  // Reuses controllers, because creating them is expensive. One that never aborted has no listeners left.
  readonly #spare: AbortController[] = [];
  #server: Server | undefined;

  constructor(handle: HandleCall) {
    this.#handle = handle;
  }

  /** Assigns future calls to this connection. */
  serve(server: Server): void {
    this.#server = server;
  }

  /** Returns whether it accepted the message. Accepted calls are answered unless cancelled. */
  take(message: JSONRPCMessage, send: Send): boolean {
    const call = plainCall(message);
    const server = this.#server;
    // Before initialization, the SDK decides what a client may do.
    if (call === undefined || server?.getClientCapabilities() === undefined) return false;
    // A second call with the same id goes to the SDK, so that cancelling the id reaches both.
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
    const { id, progressToken, trace } = call;
    const controller = this.#spare.pop() ?? new AbortController();
    const { signal } = controller;
    this.#running.set(id, controller);
    try {
      const answer = await this.#handle(call, directClient(server, { signal, progressToken, trace })).then(
        (result) => ({ jsonrpc: "2.0", id, result }),
        (cause) => ({ jsonrpc: "2.0", id, error: errorOf(cause) }),
      );
      if (!signal.aborted) await send(answer as JSONRPCMessage);
    } catch (cause) {
      server.onerror?.(new Error("A response could not be sent", { cause }));
    } finally {
      this.#running.delete(id);
      if (!signal.aborted) this.#spare.push(controller);
    }
  }
}

type HandleCall = (call: PlainCall, client: CallClient) => Promise<object>;
type Send = (message: JSONRPCMessage) => Promise<void>;

/** Matches the SDK: errors without a protocol code are internal errors. */
function errorOf(cause: unknown): { code: number; message: string; data?: unknown } {
  const { code, message, data } = (cause ?? {}) as { code?: unknown; message?: unknown; data?: unknown };
  return {
    code: Number.isSafeInteger(code) ? (code as number) : INTERNAL_ERROR,
    message: typeof message === "string" ? message : "Internal error",
    ...(data === undefined ? {} : { data }),
  };
}

const INTERNAL_ERROR = -32603;

import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import type { HiddenArguments, RawArguments } from "./raw-arguments.js";

/** Tracks received requests until they are answered or cancelled, and releases their hidden arguments. */
export class IncomingRequests {
  readonly #rawArguments: RawArguments;
  readonly #ids = new Set<string | number>();
  readonly #hidden = new Map<string | number, HiddenArguments>();
  #running = 0;

  constructor(rawArguments: RawArguments) {
    this.#rawArguments = rawArguments;
  }

  /** Counts every request, also if a client reuses an id. */
  get running(): number {
    return this.#running;
  }

  /** The number of distinct ids without a response. */
  get unanswered(): number {
    return this.#ids.size;
  }

  add(id: string | number): void {
    this.#ids.add(id);
    this.#running += 1;
  }

  hideArguments(message: JSONRPCMessage): JSONRPCMessage {
    const hidden = this.#rawArguments.hide(message);
    if (hidden === undefined || !("id" in message) || message.id === undefined) return message;
    this.#hidden.get(message.id)?.release();
    this.#hidden.set(message.id, hidden);
    return hidden.message;
  }

  settle(id: string | number): void {
    this.#ids.delete(id);
    this.#running = Math.max(0, this.#running - 1);
    this.#hidden.get(id)?.release();
    this.#hidden.delete(id);
  }
}

import type { Readable, Writable } from "node:stream";
import { type JSONRPCMessage, serializeMessage, type Transport } from "@modelcontextprotocol/server";
import type { DirectCalls } from "../call/direct-calls.js";
import { MessageLines } from "./message-lines.js";
import type { HiddenArguments, RawArguments } from "./raw-arguments.js";
import { readMessage } from "./read-message.js";

export interface StdioSetting {
  readonly input: Readable;
  readonly output: Writable;
  readonly rawArguments: RawArguments;
  /** Where given, calls that need nothing of the SDK are answered there. */
  readonly directCalls?: Pick<DirectCalls, "take" | "cancel"> | undefined;
  /** Whether anybody still reads the output; asked once the input has ended. */
  readonly isRead?: (() => boolean) | undefined;
}

/**
 * MCP over two streams. Unlike the SDK's own it takes large messages in linear time, answers what
 * is no message instead of ignoring it, survives what is too large, and lets answers that are
 * under way be written when the input ends.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  readonly #input: Readable;
  readonly #output: Writable;
  readonly #rawArguments: RawArguments;
  readonly #directCalls: StdioSetting["directCalls"];
  readonly #isRead: () => boolean;
  readonly #lines = new MessageLines(MAX_MESSAGE_BYTES);
  readonly #unanswered = new Set<string | number>();
  readonly #hidden = new Map<string | number, HiddenArguments>();
  #isSdkReading = false;
  #hasEnded = false;
  #endedAtMs = 0;
  #isClosed = false;

  constructor({ input, output, rawArguments, directCalls, isRead = () => true }: StdioSetting) {
    this.#input = input;
    this.#output = output;
    this.#rawArguments = rawArguments;
    this.#directCalls = directCalls;
    this.#isRead = isRead;
  }

  async start(): Promise<void> {
    this.#input.on("data", this.#onData);
    this.#input.on("error", this.#onError);
    this.#input.on("end", this.#onEnd);
    this.#input.on("close", this.#onEnd);
    this.#output.on("error", this.#onBroken);
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#output.write(serializeMessage(message), (error) => {
        if (error) reject(error);
        else resolve();
        if (!("method" in message) && message.id !== undefined) this.#answered(message.id);
      });
    });
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#input.off("data", this.#onData);
    this.#input.off("end", this.#onEnd);
    this.#input.off("close", this.#onEnd);
    this.#input.pause();
    this.onclose?.();
  }

  readonly #onData = (chunk: Buffer): void => {
    for (const line of this.#lines.append(chunk)) {
      const read = readMessage(line);
      if (read === undefined) continue;
      if ("refusal" in read) this.#refuse(read.refusal, read.reason);
      else this.#receive(read.message);
    }
  };

  #receive(message: JSONRPCMessage): void {
    if ("method" in message && "id" in message) this.#unanswered.add(message.id);
    if ("method" in message && message.method === "notifications/cancelled")
      this.#cancel(message.params ?? {});
    if (!this.#isSdkReading && this.#directCalls?.take(message, this.#send)) return;
    this.#leaveToSdk(message);
  }

  /** A cancelled request is never answered. */
  #cancel({ requestId, reason }: { readonly [key: string]: unknown }): void {
    if (typeof requestId !== "string" && typeof requestId !== "number") return;
    this.#directCalls?.cancel(requestId, reason);
    this.#answered(requestId);
  }

  /** It takes a few turns to read a message: what comes meanwhile goes the same way, so as not to overtake it. */
  #leaveToSdk(message: JSONRPCMessage): void {
    if (!this.#isSdkReading) {
      this.#isSdkReading = true;
      setImmediate(() => {
        this.#isSdkReading = false;
      });
    }
    this.onmessage?.(this.#hideArguments(message));
  }

  #hideArguments(message: JSONRPCMessage): JSONRPCMessage {
    const hidden = this.#rawArguments.hide(message);
    if (hidden === undefined || !("id" in message) || message.id === undefined) return message;
    this.#hidden.get(message.id)?.release();
    this.#hidden.set(message.id, hidden);
    return hidden.message;
  }

  #refuse(refusal: JSONRPCMessage, reason: string): void {
    this.onerror?.(new Error(reason));
    this.send(refusal).catch(this.#onError);
  }

  #answered(id: string | number): void {
    this.#unanswered.delete(id);
    this.#hidden.get(id)?.release();
    this.#hidden.delete(id);
    if (this.#hasEnded && this.#unanswered.size === 0) void this.close();
  }

  readonly #onEnd = (): void => {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#endedAtMs = performance.now();
    this.#closeIfLeft();
  };

  /** Who waits for answers gets some time for them; who was killed waits for none. */
  #closeIfLeft(): void {
    if (this.#isClosed) return;
    const isLate = performance.now() - this.#endedAtMs > END_GRACE_MS;
    if (this.#unanswered.size === 0 || isLate || !this.#isRead()) void this.close();
    else setTimeout(() => this.#closeIfLeft(), END_POLL_MS).unref();
  }

  readonly #send = (message: JSONRPCMessage): Promise<void> => this.send(message);

  readonly #onError = (error: Error): void => this.onerror?.(error);

  /** Nobody reads any more: there is nothing left to do. */
  readonly #onBroken = (error: Error): void => {
    if (this.#isClosed) return;
    this.onerror?.(error);
    void this.close();
  };
}

const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
const END_GRACE_MS = 10_000;
const END_POLL_MS = 200;

import type { Readable, Writable } from "node:stream";
import { type JSONRPCMessage, serializeMessage, type Transport } from "@modelcontextprotocol/server";
import type { DirectCalls } from "../call/direct-calls.js";
import { IncomingRequests } from "./incoming-requests.js";
import { type MessageLine, MessageLines } from "./message-lines.js";
import type { RawArguments } from "./raw-arguments.js";
import { readMessage } from "./read-message.js";

interface StdioTransportOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly rawArguments: RawArguments;
  /** Executes calls that do not need the SDK. */
  readonly directCalls?: Pick<DirectCalls, "take" | "cancel"> | undefined;
  /** Returns whether the output still has a reader. Called once the input has ended. */
  readonly isRead?: (() => boolean) | undefined;
  /** Stops reading messages while more than this many bytes are unsent. Default: no limit. */
  readonly maxUnsentBytes?: number | undefined;
}

/**
 * MCP over two streams. Unlike the SDK's transport it parses large messages in linear time, responds to invalid input,
 * survives oversized messages, applies back-pressure, and finishes pending responses when the input ends.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  readonly #options: StdioTransportOptions;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #lines = new MessageLines(MAX_MESSAGE_BYTES);
  readonly #incoming: IncomingRequests;
  /** Unread lines of the last chunk. */
  #held: Generator<MessageLine> | undefined;
  /** Ids of our unanswered requests, as strings, because the SDK treats 7 and "7" as the same id. */
  readonly #asked = new Set<string>();
  #isSdkReading = false;
  #hasEnded = false;
  /** When the input ended, or the last response after that. */
  #quietSinceMs = 0;
  #isClosed = false;

  constructor(options: StdioTransportOptions) {
    this.#options = options;
    this.#input = options.input;
    this.#output = options.output;
    this.#incoming = new IncomingRequests(options.rawArguments);
  }

  async start(): Promise<void> {
    this.#input.on("data", this.#onData);
    this.#input.on("error", this.#onError);
    this.#input.on("end", this.#onEnd);
    this.#input.on("close", this.#onEnd);
    this.#output.on("drain", this.#readOn);
    this.#output.on("error", this.#onBroken);
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed || (this.#isBehind && isDroppable(message))) return Promise.resolve();
    this.#noteAsked(message);
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
    this.#output.off("drain", this.#readOn);
    this.#input.pause();
    this.onclose?.();
  }

  #noteAsked(message: JSONRPCMessage): void {
    if (!("method" in message)) return;
    if ("id" in message) this.#asked.add(String(message.id));
    if (message.method === "notifications/cancelled") this.#asked.delete(String(message.params?.requestId));
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#held = this.#lines.append(chunk);
    this.#readOn();
  };

  /** Reads a few messages per turn, so that other work can run and their effects are known before reading more. */
  readonly #readOn = (): void => {
    for (let count = 0; count < LINES_PER_TURN && !this.#isBehind; count += 1) {
      if (this.#held === undefined || this.#isClosed) return;
      const { done, value } = this.#held.next();
      if (done === true) {
        this.#held = undefined;
        // Resuming a flowing stream would cost an unnecessary read.
        if (this.#input.isPaused()) this.#input.resume();
        return;
      }
      this.#readLine(value);
    }
    this.#input.pause();
    if (!this.#isBehind) setImmediate(this.#readOn);
  };

  #readLine(line: MessageLine): void {
    const read = readMessage(line, (id) => this.#asked.has(String(id)));
    if (read === undefined) return;
    if ("refusal" in read) this.#refuse(read.refusal, read.reason);
    else this.#receive(read.message);
  }

  /** While we wait for a response, reading must continue: the response is among the unread messages. */
  get #isBehind(): boolean {
    if (this.#output.writableLength > (this.#options.maxUnsentBytes ?? Infinity)) return true;
    return this.#incoming.running >= MAX_IN_FLIGHT && this.#asked.size === 0;
  }

  #receive(message: JSONRPCMessage): void {
    if (!("method" in message)) this.#asked.delete(String(message.id));
    else if ("id" in message) this.#incoming.add(message.id);
    if ("method" in message && message.method === "notifications/cancelled")
      this.#cancel(message.params ?? {});
    if (!this.#isSdkReading && this.#options.directCalls?.take(message, this.#send)) return;
    this.#passToSdk(message);
  }

  /** Cancelled requests get no response. */
  #cancel({ requestId, reason }: { readonly [key: string]: unknown }): void {
    if (typeof requestId !== "string" && typeof requestId !== "number") return;
    this.#options.directCalls?.cancel(requestId, reason);
    this.#answered(requestId);
  }

  /** The SDK needs a few turns per message. Later messages follow the same path, so that they do not overtake it. */
  #passToSdk(message: JSONRPCMessage): void {
    if (!this.#isSdkReading) {
      this.#isSdkReading = true;
      setImmediate(() => {
        this.#isSdkReading = false;
      });
    }
    this.onmessage?.(this.#incoming.hideArguments(message));
  }

  #refuse(refusal: JSONRPCMessage, reason: string): void {
    this.onerror?.(new Error(reason));
    this.send(refusal).catch(this.#onError);
  }

  #answered(id: string | number): void {
    this.#incoming.settle(id);
    this.#quietSinceMs = performance.now();
    if (this.#held !== undefined) setImmediate(this.#readOn);
    if (this.#hasEnded && this.#incoming.unanswered === 0) void this.close();
  }

  readonly #onEnd = (): void => {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#quietSinceMs = performance.now();
    this.#closeIfLeft();
  };

  /** Gives a waiting client time to receive its responses, as long as they keep coming. A killed one is dropped. */
  #closeIfLeft(): void {
    if (this.#isClosed) return;
    const isLate = performance.now() - this.#quietSinceMs > END_GRACE_MS;
    const isRead = this.#options.isRead?.() ?? true;
    if (this.#incoming.unanswered === 0 || isLate || !isRead) void this.close();
    else setTimeout(() => this.#closeIfLeft(), END_POLL_MS).unref();
  }

  readonly #send = (message: JSONRPCMessage): Promise<void> => this.send(message);

  readonly #onError = (error: Error): void => this.onerror?.(error);

  /** The output has no reader, so nothing is left to do. */
  readonly #onBroken = (error: Error): void => {
    if (this.#isClosed) return;
    this.onerror?.(error);
    void this.close();
  };
}

/** Progress is worthless when delayed. */
function isDroppable(message: JSONRPCMessage): boolean {
  return "method" in message && !("id" in message) && message.method === "notifications/progress";
}

const LINES_PER_TURN = 64;
const MAX_IN_FLIGHT = 256;
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
const END_GRACE_MS = 10_000;
const END_POLL_MS = 200;

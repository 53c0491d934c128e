import type { Duplex } from "node:stream";
import { messageOf } from "@haft/core";
import { isAnswerTo, isFailure, isStale } from "./answer-shapes.js";
import { encodeFrame, FrameReader } from "./frames.js";

export interface Answer<T> {
  readonly value: T;
  readonly body: Buffer;
}

/** Why the remote program rejected a request. */
export class RemoteFailure extends Error {
  readonly code: string;
  readonly path: string;

  constructor({ code, path, why }: { code: string; path: string; why?: string }) {
    super(why ?? code);
    this.code = code;
    this.path = path;
  }
}

/** A path was not as rehearsed; nothing was changed. */
export class RemoteStale extends Error {
  readonly path: string;

  constructor({ path, why }: { path: string; why: string }) {
    super(why);
    this.path = path;
  }
}

/** The remote program could not have sent this answer. */
export class NotUnderstood extends Error {}

/** The connection ended before the response. The request may or may not have been executed. */
export class ConnectionLost extends Error {
  readonly reason: LossReason;

  constructor(why: string, reason: LossReason = "closed") {
    super(why);
    this.reason = reason;
  }
}

/** "unreadable": the other end sent what our program would not. */
export type LossReason = "closed" | "timeout" | "unreadable";

/** Sends requests over one channel and matches responses to them. Any number may be pending. */
export class RemoteEnd {
  readonly #channel: Duplex;
  readonly #timeoutMs: number;
  readonly #waiting = new Map<number, Waiting>();
  #nextId = 1;
  #lost: ConnectionLost | undefined;

  constructor(channel: Duplex, timeoutMs: number) {
    this.#channel = channel;
    this.#timeoutMs = timeoutMs;
    const reader = new FrameReader();
    channel.on("data", (chunk: Buffer) => {
      try {
        for (const { header, body } of reader.push(chunk)) this.#settle(header, body);
      } catch (thrown) {
        const said = chunk.toString("utf8").trim().slice(0, 200);
        this.#lose(
          `the remote program sent something unreadable: ${messageOf(thrown)}: ${JSON.stringify(said)}`,
          "unreadable",
        );
      }
    });
    channel.on("error", (error) => this.#lose(error.message));
    channel.on("close", () => this.#lose("the connection was closed"));
  }

  get isLost(): boolean {
    return this.#lost !== undefined;
  }

  send(bytes: Buffer): void {
    this.#channel.write(bytes);
  }

  request<T>(op: string, fields: object = {}, body?: Uint8Array): Promise<Answer<T>> {
    if (this.#lost !== undefined) return Promise.reject(this.#lost);
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      const late = () => this.#lose(`no answer within ${this.#timeoutMs} ms`, "timeout");
      const timer = setTimeout(late, this.#timeoutMs);
      this.#waiting.set(id, { op, resolve: resolve as Waiting["resolve"], reject, timer });
      this.#channel.write(encodeFrame({ ...fields, op, id }, body));
    });
  }

  /** Closes the connection and rejects pending requests. */
  close(): void {
    this.#lose("the workspace was closed");
  }

  #settle(header: unknown, body: Buffer): void {
    const { id, failed, stale, value } = header as Readonly<Record<string, unknown>>;
    const waiting = this.#waiting.get(id as number);
    if (waiting === undefined) return;
    this.#waiting.delete(id as number);
    clearTimeout(waiting.timer);
    if (isFailure(failed)) waiting.reject(new RemoteFailure(failed));
    else if (isStale(stale)) waiting.reject(new RemoteStale(stale));
    else if (failed === undefined && stale === undefined && isAnswerTo(waiting.op, value, body))
      waiting.resolve({ value, body });
    else waiting.reject(new NotUnderstood(waiting.op));
  }

  #lose(why: string, reason?: LossReason): void {
    if (this.#lost !== undefined) return;
    this.#lost = new ConnectionLost(why, reason);
    this.#channel.destroy();
    for (const { reject, timer } of this.#waiting.values()) {
      clearTimeout(timer);
      reject(this.#lost);
    }
    this.#waiting.clear();
  }
}

interface Waiting {
  readonly op: string;
  resolve(answer: Answer<unknown>): void;
  reject(error: Error): void;
  readonly timer: NodeJS.Timeout;
}

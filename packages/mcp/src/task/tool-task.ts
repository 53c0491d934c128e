import { messageOf, type ToolResult } from "@haft/core";
import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type Task,
} from "@modelcontextprotocol/server";
import { askClient } from "../approval/ask-client.js";
import type { CallClient } from "../call/call-client.js";
import type { OpenQuestion, PendingCall } from "../call/pending-call.js";

export interface TaskOptions {
  readonly call: PendingCall;
  /** How long a finished task is kept, counted from its creation. */
  readonly ttlMs: number;
  readonly approvalTimeoutMs: number;
  /** Converts the result into the response of the original request. */
  answer(result: ToolResult): CallToolResult;
  onStatus(task: Task): void;
}

/** A tool call as an MCP task. The call runs whether or not a client waits for it. */
export class ToolTask {
  readonly id: string;
  readonly #options: TaskOptions;
  readonly #createdAt = new Date();
  #updatedAt = this.#createdAt;
  #status: Task["status"] = "working";
  #statusMessage: string | undefined;
  #isRead = false;
  /** Withdraws the question from the request that asked it last. */
  #asking: AbortController | undefined;

  constructor(options: TaskOptions) {
    this.id = options.call.id;
    this.#options = options;
    void this.#follow();
  }

  get isOver(): boolean {
    return OVER.has(this.#status);
  }

  /** Keeps an unread result for at least a minute, even if the client asked for less time than the call took. */
  get isExpired(): boolean {
    const now = Date.now();
    if (!this.isOver || now - this.#createdAt.getTime() <= this.#options.ttlMs) return false;
    return this.#isRead || now - this.#updatedAt.getTime() > UNREAD_MS;
  }

  get view(): Task {
    return {
      taskId: this.id,
      status: this.#status,
      ...(this.#statusMessage === undefined ? {} : { statusMessage: this.#statusMessage }),
      ttl: this.#options.ttlMs,
      createdAt: this.#createdAt.toISOString(),
      lastUpdatedAt: this.#updatedAt.toISOString(),
      pollInterval: POLL_INTERVAL_MS,
    };
  }

  /** Waits for the result and asks this client meanwhile. Ending the request does not stop the call. */
  async result(client: CallClient): Promise<CallToolResult> {
    const { call, answer } = this.#options;
    for (;;) {
      client.signal.throwIfAborted();
      const { stop } = call;
      if (stop !== undefined && "result" in stop) {
        const result = answer(stop.result);
        this.#isRead = true;
        return { ...result, _meta: { ...result._meta, ...relatedTo(this.id) } };
      }
      if (stop === undefined) await call.changed(client.signal);
      else await this.#ask(stop.question, client);
    }
  }

  /** Sets the final status immediately; the call settles when its processes have ended. */
  cancel(reason: string): void {
    if (this.isOver) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `Task ${this.id} is already ${this.#status} and cannot be cancelled`,
      );
    }
    this.#become("cancelled", reason);
    this.#options.call.cancel(new Error(reason));
  }

  /** The newest request asks, because an earlier one may have lost its connection unnoticed. */
  async #ask(question: OpenQuestion, client: CallClient): Promise<void> {
    this.#asking?.abort();
    const asking = new AbortController();
    this.#asking = asking;
    const answer = await askClient(client, question.request, {
      signal: AbortSignal.any([client.signal, question.closed, asking.signal]),
      timeoutMs: this.#options.approvalTimeoutMs,
      meta: relatedTo(this.id),
    });
    if (client.signal.aborted) return;
    if (asking.signal.aborted) await this.#options.call.changed(client.signal);
    else question.answer(answer);
  }

  async #follow(): Promise<void> {
    while (!this.isOver) {
      this.#become(...statusOf(this.#options.call));
      if (!this.isOver) await this.#options.call.changed();
    }
  }

  #become(status: Task["status"], message?: string): void {
    if (status === this.#status && message === this.#statusMessage) return;
    this.#status = status;
    this.#statusMessage = message;
    this.#updatedAt = new Date();
    this.#options.onStatus(this.view);
  }
}

function statusOf(call: PendingCall): [status: Task["status"], message?: string] {
  try {
    const { stop } = call;
    if (stop === undefined) return ["working"];
    if ("question" in stop) return ["input_required", stop.question.request.reason];
    if (stop.result.ok) return ["completed"];
    return ["failed", `${stop.result.error.code}: ${stop.result.error.message}`];
  } catch (cause) {
    return ["failed", messageOf(cause)];
  }
}

function relatedTo(taskId: string) {
  return { "io.modelcontextprotocol/related-task": { taskId } };
}

const OVER: ReadonlySet<Task["status"]> = new Set(["completed", "failed", "cancelled"]);

/** `tasks/result` responds as soon as the call ends; polling serves clients that only show a status. */
const POLL_INTERVAL_MS = 500;

const UNREAD_MS = 60_000;

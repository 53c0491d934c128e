import { ProtocolError, ProtocolErrorCode, type Task } from "@modelcontextprotocol/server";
import { type TaskOptions, ToolTask } from "./tool-task.js";

/** The tasks of one connection, cancelled when it closes. */
export class ToolTasks {
  readonly #tasks = new Map<string, ToolTask>();

  create(ttl: number | undefined, options: Omit<TaskOptions, "ttlMs">): ToolTask {
    const ttlMs = Math.min(Math.max(ttl ?? DEFAULT_TTL_MS, 0), MAX_TTL_MS);
    const task = new ToolTask({ ...options, ttlMs });
    this.#tasks.set(task.id, task);
    return task;
  }

  /** Throws if the limit is reached and every task still runs. Call it before starting work. */
  makeRoom(): void {
    this.#forgetExpired();
    if (this.#tasks.size < MAX_TASKS) return;
    const oldest = [...this.#tasks.values()].find(({ isOver }) => isOver);
    if (oldest === undefined) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidRequest,
        `${MAX_TASKS} tasks are running; wait for one to finish or cancel one with tasks/cancel`,
      );
    }
    this.#tasks.delete(oldest.id);
  }

  get(taskId: string): ToolTask {
    this.#forgetExpired();
    const task = this.#tasks.get(taskId);
    if (task !== undefined) return task;
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      "Task not found: it never existed or has expired",
    );
  }

  list(cursor: string | undefined): Task[] {
    if (cursor !== undefined)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        "Invalid cursor: tasks/list returns all tasks at once",
      );
    this.#forgetExpired();
    return [...this.#tasks.values()].map(({ view }) => view);
  }

  close(): void {
    for (const task of this.#tasks.values()) if (!task.isOver) task.cancel("The connection was closed");
    this.#tasks.clear();
  }

  #forgetExpired(): void {
    for (const task of this.#tasks.values()) if (task.isExpired) this.#tasks.delete(task.id);
  }
}

const DEFAULT_TTL_MS = 3_600_000;
const MAX_TTL_MS = 24 * 3_600_000;
const MAX_TASKS = 256;

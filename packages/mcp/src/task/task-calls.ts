import type { ToolRuntime } from "@haft/core";
import { mcpAnnotations } from "@haft/prompt-formatter";
import {
  type CallToolRequestParams,
  type CreateTaskResult,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  type Server,
  type ServerCapabilities,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { callClient, directClient } from "../call/call-client.js";
import { traceOf } from "../call/plain-call.js";
import type { ToolCalls } from "../call/tool-calls.js";
import { ToolTasks } from "./tool-tasks.js";

/** The task capability for clients of revision 2025-11-25. */
export const TASK_CAPABILITY: ServerCapabilities["tasks"] = {
  list: {},
  cancel: {},
  requests: { tools: { call: {} } },
};

/** Marks a tool as usable as a task. Read-only tools end quickly and never ask, so they stay plain calls. */
export function taskSupport(annotations: { readonly readOnlyHint: boolean }): object {
  return annotations.readOnlyHint ? {} : { execution: { taskSupport: "optional" } };
}

interface TaskCall {
  readonly runtime: ToolRuntime;
  readonly params: CallToolRequestParams;
  readonly args: unknown;
}

/** Runs tool calls as tasks for one connection. */
export class TaskCalls {
  readonly #server: Server;
  readonly #calls: ToolCalls;
  readonly #tasks = new ToolTasks();

  constructor(server: Server, calls: ToolCalls) {
    this.#server = server;
    this.#calls = calls;
    this.#handle("tasks/get", ({ taskId }) => this.#tasks.get(String(taskId)).view);
    this.#handle("tasks/list", ({ cursor }) => ({ tasks: this.#tasks.list(cursor) }));
    this.#handle("tasks/result", ({ taskId }, context) =>
      this.#tasks.get(String(taskId)).result(callClient(server, context, "legacy")),
    );
    this.#handle("tasks/cancel", ({ taskId }) => {
      const task = this.#tasks.get(String(taskId));
      task.cancel("The client cancelled the task");
      return task.view;
    });
  }

  create({ runtime, params, args }: TaskCall): CreateTaskResult {
    assertTaskable(runtime, params.name);
    this.#tasks.makeRoom();
    const progressToken = params._meta?.progressToken;
    // The request that creates a task is answered immediately, so progress uses the connection.
    const client = directClient(this.#server, {
      signal: new AbortController().signal,
      progressToken,
      trace: traceOf(params._meta),
    });
    const request = { runtime, tool: params.name, args, client };
    const task = this.#tasks.create(params.task?.ttl, {
      call: this.#calls.start(request),
      approvalTimeoutMs: this.#calls.approvalTimeoutMs,
      answer: (result) => this.#calls.answer(request, result),
      onStatus: (status) => this.#announce(status),
    });
    return { task: task.view };
  }

  close(): void {
    this.#tasks.close();
  }

  /** The SDK validates the parameters of these methods but does not type them. */
  #handle(
    method: string,
    answer: (params: TaskParams, context: ServerContext) => object | Promise<object>,
  ): void {
    const handler = async ({ params }: { params?: TaskParams }, context: ServerContext) =>
      (await answer(params ?? {}, context)) as Result;
    this.#server.setRequestHandler(method as never, handler as never);
  }

  #announce(params: object): void {
    // A disconnected client does not need status updates.
    this.#server
      .notification({ method: "notifications/tasks/status", params: { ...params } })
      .catch(() => {});
  }
}

interface TaskParams {
  readonly taskId?: string;
  readonly cursor?: string;
}

function assertTaskable(runtime: ToolRuntime, name: string): void {
  const tool = runtime.tools().find((candidate) => candidate.name === name);
  if (tool === undefined || !mcpAnnotations(tool).readOnlyHint) return;
  throw new ProtocolError(
    ProtocolErrorCode.MethodNotFound,
    `${name} is read-only and cannot run as a task; call it without "task"`,
  );
}

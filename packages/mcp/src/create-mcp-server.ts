import type { JsonSchema } from "@haft/core";
import { compileSchema } from "@haft/core/compile-schema";
import { type McpTool, toMcpTools } from "@haft/prompt-formatter";
import type { jsonSchemaValidator, Server, ServerContext } from "@modelcontextprotocol/server";
import { type CallClient, callClient, type Era } from "./call/call-client.js";
import { DirectCalls } from "./call/direct-calls.js";
import { ToolCalls } from "./call/tool-calls.js";
import { wantsStructured } from "./call/wants-structured.js";
import { LazyRuntime } from "./lazy-runtime.js";
import type { McpOptions, RuntimeSource } from "./mcp-options.js";
import { TASK_CAPABILITY, TaskCalls, taskSupport } from "./task/task-calls.js";
import { TaskServer } from "./task/task-server.js";
import { RawArguments } from "./transport/raw-arguments.js";

/** A runtime as an MCP server, not yet bound to a transport. */
export interface McpServer {
  /** Passes arguments to the kernel unchanged; transports hide them from the SDK. */
  readonly rawArguments: RawArguments;
  /** Executes plain calls of 2025 clients for transports with a single client. */
  readonly directCalls: DirectCalls;
  /** When a call was last running or waiting for approval, in `performance` time. */
  readonly lastUsedAt: number;
  /** Creates the protocol server for one connection. */
  connection(era: Era): Server;
  close(): Promise<void>;
}

export interface Sharing {
  /** Several clients share the runtime, and the approver chooses the one to ask. Default: one client. */
  readonly isShared?: boolean;
  /** Called when tools change, in addition to notifying the connections. */
  onToolsChanged?(): void;
}

export function createMcpServer(
  source: RuntimeSource,
  options: McpOptions,
  { isShared = false, onToolsChanged }: Sharing = {},
): McpServer {
  const rawArguments = new RawArguments();
  const calls = new ToolCalls(options);
  const connections = new Set<Server>();
  const opened = new LazyRuntime(source, () => {
    // A shared server has single requests, not connections.
    if (!isShared) announceChange(connections);
    onToolsChanged?.();
  });
  const runtimeFor = (client: CallClient) =>
    opened.get({
      approver: isShared ? calls.approver.ask : calls.approver.for(client),
      listRoots: options.useClientRoots === true ? client.listRoots : noRoots,
    });
  const directCalls = new DirectCalls(async ({ tool, args }, client) =>
    calls.handle({ runtime: await runtimeFor(client), tool, args, client }),
  );
  const parts = { options, calls, rawArguments, directCalls, opened, runtimeFor, connections };
  return {
    rawArguments,
    directCalls,
    get lastUsedAt() {
      return calls.lastUsedAt;
    },
    connection: (era) => connect(era, parts),
    close: async () => {
      directCalls.close();
      await Promise.allSettled([...connections].map((server) => server.close()));
      await opened.close();
    },
  };
}

interface ServerParts {
  readonly options: McpOptions;
  readonly calls: ToolCalls;
  readonly rawArguments: RawArguments;
  readonly directCalls: DirectCalls;
  readonly opened: LazyRuntime;
  readonly connections: Set<Server>;
  runtimeFor(client: CallClient): ReturnType<LazyRuntime["get"]>;
}

function connect(era: Era, parts: ServerParts): Server {
  const { options, calls, directCalls, opened, connections } = parts;
  const server = newServer(options, era);
  // Clients of 2026-07-28 answer questions by repeating the request.
  const tasks = era === "legacy" ? new TaskCalls(server, calls) : undefined;
  handleTools(server, era, { ...parts, tasks });
  server.setNotificationHandler("notifications/roots/list_changed", () => opened.forgetRoots());
  if (era === "legacy") directCalls.serve(server);
  connections.add(server);
  server.onclose = () => {
    connections.delete(server);
    tasks?.close();
  };
  return server;
}

interface ToolHandling extends ServerParts {
  readonly tasks: TaskCalls | undefined;
}

function newServer({ name = "haft", version, instructions, onError }: McpOptions, era: Era): Server {
  const server = new TaskServer(
    { name, version },
    {
      capabilities: { tools: { listChanged: true }, ...(era === "legacy" && { tasks: TASK_CAPABILITY }) },
      jsonSchemaValidator: kernelValidator,
      ...(instructions === undefined ? {} : { instructions }),
    },
  );
  server.onerror = (error) => onError?.(error);
  return server;
}

function handleTools(
  server: Server,
  era: Era,
  { options, rawArguments, calls, tasks, runtimeFor }: ToolHandling,
): void {
  const clientOf = (context: ServerContext) => callClient(server, context, era);
  server.setRequestHandler("tools/list", async (_request, context) => {
    const client = clientOf(context);
    const runtime = await runtimeFor(client);
    const isStructured = wantsStructured(options.structured ?? "auto", client.name);
    const hasTasks = tasks !== undefined;
    return {
      tools: toMcpTools(runtime.tools()).map((tool) => listed(tool, { isStructured, hasTasks })) as never,
    };
  });
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const args = rawArguments.take(params.arguments);
    const client = clientOf(context);
    const runtime = await runtimeFor(client);
    if (tasks !== undefined && params.task !== undefined)
      return tasks.create({ runtime, params, args }) as never;
    return calls.handle({ runtime, tool: params.name, args, client });
  });
}

interface Listing {
  readonly isStructured: boolean;
  readonly hasTasks: boolean;
}

/** Omits output schemas that are never used, to save the client tokens. */
function listed({ outputSchema, ...tool }: McpTool, { isStructured, hasTasks }: Listing): object {
  return {
    ...tool,
    ...(isStructured && outputSchema !== undefined && { outputSchema }),
    ...(hasTasks && taskSupport(tool.annotations)),
  };
}

const noRoots: CallClient["listRoots"] = async () => undefined;

function announceChange(connections: ReadonlySet<Server>): void {
  for (const server of connections) {
    // A connection that is not open yet will list the tools anyway.
    if (server.transport !== undefined) server.sendToolListChanged().catch(() => {});
  }
}

/** Lets the SDK validate with the kernel instead of loading a second validator. */
const kernelValidator: jsonSchemaValidator = {
  getValidator: <T>(schema: object) => {
    const problemsOf = compileSchema(schema as JsonSchema);
    return (input: unknown) => {
      // Validation fills in defaults, so it works on a copy.
      const problems = problemsOf(structuredClone(input));
      if (problems.length === 0) return { valid: true, data: input as T, errorMessage: undefined };
      const errorMessage = problems.map(({ pointer, message }) => `${pointer} ${message}`.trim()).join("; ");
      return { valid: false, data: undefined, errorMessage };
    };
  },
};

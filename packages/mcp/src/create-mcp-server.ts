import { toMcpTools } from "@haft/prompt-formatter";
import { Server, type ServerContext } from "@modelcontextprotocol/server";
import { type CallClient, callClient, type Era } from "./call/call-client.js";
import { DirectCalls } from "./call/direct-calls.js";
import { ToolCalls } from "./call/tool-calls.js";
import type { McpOptions, RuntimeSource } from "./mcp-options.js";
import { OpenedRuntime } from "./opened-runtime.js";
import { kernelValidator } from "./schema/kernel-validator.js";
import { RawArguments } from "./transport/raw-arguments.js";

/** A runtime as an MCP server, before it is bound to any transport. */
export interface McpServer {
  /** Lets arguments reach the kernel as they were sent; a transport hides them on their way in. */
  readonly rawArguments: RawArguments;
  /** Answers plain calls of a 2025 client, where a transport that has one client offers them. */
  readonly directCalls: DirectCalls;
  /** When a call was last under way, a question about it included; on the clock of `performance`. */
  readonly lastUsedAt: number;
  /** The protocol's side of one connection. */
  connection(era: Era): Server;
  close(): Promise<void>;
}

export interface Sharing {
  /** Several clients use the runtime, of whom some can be asked: the gate sees which. Default: one client. */
  readonly isShared?: boolean;
  /** Hears of new or gone tools, beside the connections that are told. */
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
  const opened = new OpenedRuntime(source, () => {
    // What a shared server has are single requests, not connections.
    if (!isShared) announceChange(connections);
    onToolsChanged?.();
  });
  const runtimeFor = (client: CallClient) =>
    opened.get({
      gate: isShared ? calls.gate : calls.gate.for(client),
      listRoots: options.useClientRoots === true ? client.listRoots : noRoots,
    });
  const directCalls = new DirectCalls(async ({ tool, args }, client) =>
    calls.handle({ runtime: await runtimeFor(client), tool, args, client }),
  );
  return {
    rawArguments,
    directCalls,
    get lastUsedAt() {
      return calls.lastUsedAt;
    },
    connection: (era) => {
      const server = newServer(options);
      handleTools(server, era, { rawArguments, calls, runtimeFor });
      server.setNotificationHandler("notifications/roots/list_changed", () => opened.forgetRoots());
      if (era === "legacy") directCalls.serve(server);
      connections.add(server);
      server.onclose = () => connections.delete(server);
      return server;
    },
    close: async () => {
      directCalls.close();
      await Promise.allSettled([...connections].map((server) => server.close()));
      await opened.close();
    },
  };
}

interface Behind {
  readonly rawArguments: RawArguments;
  readonly calls: ToolCalls;
  runtimeFor(client: CallClient): ReturnType<OpenedRuntime["get"]>;
}

function newServer({ name = "haft", version, instructions, onError }: McpOptions): Server {
  const server = new Server(
    { name, version },
    {
      capabilities: { tools: { listChanged: true } },
      jsonSchemaValidator: kernelValidator,
      ...(instructions === undefined ? {} : { instructions }),
    },
  );
  server.onerror = (error) => onError?.(error);
  return server;
}

function handleTools(server: Server, era: Era, { rawArguments, calls, runtimeFor }: Behind): void {
  const clientOf = (context: ServerContext) => callClient(server, context, era);
  server.setRequestHandler("tools/list", async (_request, context) => {
    const runtime = await runtimeFor(clientOf(context));
    return { tools: toMcpTools(runtime.tools()).map((tool) => ({ ...tool })) as never };
  });
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const args = rawArguments.take(params.arguments);
    const client = clientOf(context);
    return calls.handle({ runtime: await runtimeFor(client), tool: params.name, args, client });
  });
}

const noRoots: CallClient["listRoots"] = async () => undefined;

function announceChange(connections: ReadonlySet<Server>): void {
  for (const server of connections) {
    // A connection that is not open yet lists the tools anew anyway.
    if (server.transport !== undefined) server.sendToolListChanged().catch(() => {});
  }
}

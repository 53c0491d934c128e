import type { Readable, Writable } from "node:stream";
import { serveStdio as serveConnection } from "@modelcontextprotocol/server/stdio";
import { createMcpServer } from "./create-mcp-server.js";
import type { McpOptions, RuntimeSource } from "./mcp-options.js";
import { hasReader } from "./transport/has-reader.js";
import { StdioTransport } from "./transport/stdio-transport.js";

export interface StdioOptions extends McpOptions {
  /** Default: the process's standard input. */
  readonly input?: Readable;
  /** Default: the process's standard output, which is then reserved for the protocol. */
  readonly output?: Writable;
  /** The file descriptor behind the output, used to detect a killed client. */
  readonly outputDescriptor?: number;
}

export interface StdioService {
  /** Resolves when the client has disconnected and all resources are released. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/** Serves one client over two streams, in the protocol revision the client chooses. */
export function serveStdio(source: RuntimeSource, options: StdioOptions): StdioService {
  const { input = process.stdin, output = process.stdout, onError } = options;
  const descriptor =
    options.outputDescriptor ?? (options.output === undefined ? process.stdout.fd : undefined);
  const server = createMcpServer(source, options);
  const transport = new StdioTransport({
    input,
    output,
    rawArguments: server.rawArguments,
    directCalls: server.directCalls,
    maxUnsentBytes: MAX_UNSENT_BYTES,
    isRead: descriptor === undefined ? undefined : () => hasReader(descriptor),
  });
  const handle = serveConnection(({ era }) => server.connection(era), {
    transport,
    onerror: (error) => onError?.(error),
  });
  const closed = whenClosed(transport).then(() => server.close());
  return {
    closed,
    close: async () => {
      await handle.close();
      await closed;
    },
  };
}

const MAX_UNSENT_BYTES = 1024 * 1024;

/** The connection owns the transport's callbacks, so this wraps its close callback. */
function whenClosed(transport: StdioTransport): Promise<void> {
  const previous = transport.onclose;
  return new Promise((resolve) => {
    transport.onclose = () => {
      previous?.();
      resolve();
    };
  });
}

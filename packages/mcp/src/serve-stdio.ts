import type { Readable, Writable } from "node:stream";
import { serveStdio as serveConnection } from "@modelcontextprotocol/server/stdio";
import { createMcpServer } from "./create-mcp-server.js";
import type { McpOptions, RuntimeSource } from "./mcp-options.js";
import { hasReader } from "./transport/has-reader.js";
import { StdioTransport } from "./transport/stdio-transport.js";

export interface StdioOptions extends McpOptions {
  /** Default: the process's standard input. */
  readonly input?: Readable;
  /** Default: the process's standard output, which then belongs to the protocol alone. */
  readonly output?: Writable;
  /** What the output is written to in the end, if that is a descriptor: it tells whether the client was killed. */
  readonly outputDescriptor?: number;
}

export interface StdioService {
  /** Settles when the client is gone and everything is let go of. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/** Serves one client over two streams, in whichever revision of the protocol it opens with. */
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

/** The connection owns the transport's callbacks by now, so its close is heard beside them. */
function whenClosed(transport: StdioTransport): Promise<void> {
  const heard = transport.onclose;
  return new Promise((resolve) => {
    transport.onclose = () => {
      heard?.();
      resolve();
    };
  });
}

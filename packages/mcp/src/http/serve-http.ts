import {
  createServer,
  type IncomingMessage,
  type Server as NodeServer,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, isLegacyRequest } from "@modelcontextprotocol/server";
import { createMcpServer } from "../create-mcp-server.js";
import type { RuntimeSource } from "../mcp-options.js";
import { DEFAULT_MAX_BODY_BYTES, type HttpOptions, type HttpService, MCP_PATH } from "./http-options.js";
import { handleHidden, messageBody } from "./message-body.js";
import { assertGuarded, isPlainHost, LOOPBACK, portGuard, refusal, requestGuard } from "./request-guard.js";
import { Sessions } from "./sessions.js";

/** Serves many clients over Streamable HTTP, each in its own protocol revision. */
export async function serveHttp(source: RuntimeSource, options: HttpOptions): Promise<HttpService> {
  assertGuarded(options);
  const endpoint = createEndpoint(source, options);
  const node = createServer(nodeListener(endpoint, options));
  // A client that never completes its request must not hold a connection forever.
  Object.assign(node, { requestTimeout: 60_000, headersTimeout: 20_000, maxConnections: 1_000 });
  // The same applies to a client that never reads its response. A connection without unsent bytes may wait for a call
  // or an event.
  node.setTimeout(UNREAD_MS, (socket) => socket.writableLength > 0 && socket.destroy());
  try {
    await listen(node, options);
  } catch (error) {
    await endpoint.close();
    throw error;
  }
  let closing: Promise<void> | undefined;
  let settle: () => void = () => {};
  const closed = new Promise<void>((resolve) => {
    settle = resolve;
  });
  return {
    url: urlOf(node, options),
    closed,
    close: async () => {
      closing ??= stop(node, endpoint).finally(settle);
      await closing;
    },
  };
}

interface Endpoint {
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

/** Serves both revisions at one address: the older one in sessions, the newer one request by request. */
function createEndpoint(source: RuntimeSource, options: HttpOptions): Endpoint {
  const guard = requestGuard(options);
  const sessions = new Sessions(source, options);
  const server = createMcpServer(source, options, {
    isShared: true,
    onToolsChanged: () => modern.notify.toolsChanged(),
  });
  const modern = createMcpHandler(({ era }) => server.connection(era), {
    legacy: "reject",
    maxRequestBodySize: options.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES,
    onerror: (error) => options.onError?.(error),
  });
  return {
    fetch: async (request) => {
      const refused = guard(request) ?? refusePath(request);
      if (refused !== undefined) return refused;
      const read = await messageBody(request);
      if ("refused" in read) return read.refused;
      if (await isLegacyRequest(request, read.body)) return sessions.handle(request, read.body);
      return handleHidden({ rawArguments: server.rawArguments, body: read.body }, (parsedBody) =>
        modern.fetch(request, { parsedBody }),
      );
    },
    close: async () => {
      await Promise.allSettled([modern.close(), sessions.close()]);
      await server.close();
    },
  };
}

function refusePath(request: Request): Response | undefined {
  if (new URL(request.url).pathname !== MCP_PATH) return notFound();
  if (["GET", "POST", "DELETE"].includes(request.method)) return undefined;
  const response = refusal(405, "Method not allowed");
  response.headers.set("allow", "GET, POST, DELETE");
  return response;
}

function notFound(): Response {
  return refusal(404, `Not found: clients use ${MCP_PATH}`);
}

function nodeListener(endpoint: Endpoint, options: HttpOptions) {
  const { maxBodyBytes = DEFAULT_MAX_BODY_BYTES, onError } = options;
  const isOurPort = portGuard(options);
  const open = new OpenRequests();
  const handle = toNodeHandler(
    { fetch: (request) => endpoint.fetch(request) },
    { maxRequestBodySize: maxBodyBytes, onerror: (error) => onError?.(error) },
  );
  return (request: IncomingMessage, response: ServerResponse) => {
    // The adapter builds a URL from host and path, so both must be valid.
    const { host } = request.headers;
    if (!isPlainHost(host)) return refuse(response, refusal(403, "Invalid Host header"));
    const { localPort } = request.socket;
    if (!isOurPort(host, localPort))
      return refuse(response, refusal(403, `Host must name port ${localPort}`));
    if (request.url?.startsWith("/") !== true) return refuse(response, notFound());
    if (!open.admit(request, response)) return refuse(response, refusal(503, "Too many open requests"));
    // The adapter's types do not allow Node's optional fields.
    handle(request as Parameters<typeof handle>[0], response).catch((error: Error) => onError?.(error));
  };
}

async function refuse(response: ServerResponse, refused: Response): Promise<void> {
  response.writeHead(refused.status, { "content-type": "application/json", connection: "close" });
  response.end(await refused.text());
}

function listen(node: NodeServer, { port, host = LOOPBACK }: HttpOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    node.once("error", reject);
    node.listen(port, host, () => {
      node.off("error", reject);
      resolve();
    });
  });
}

function urlOf(node: NodeServer, { host = LOOPBACK }: HttpOptions): string {
  const { port } = node.address() as AddressInfo;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}${MCP_PATH}`;
}

/** Stops accepting requests, ends running ones, and does not wait for clients to disconnect. */
async function stop(node: NodeServer, endpoint: Endpoint): Promise<void> {
  const stopped = new Promise<void>((resolve) => node.close(() => resolve()));
  await endpoint.close();
  const force = setTimeout(() => node.closeAllConnections(), CLOSE_GRACE_MS);
  node.closeIdleConnections();
  await stopped;
  clearTimeout(force);
}

const CLOSE_GRACE_MS = 500;
const UNREAD_MS = 60_000;

/** Limits how many responses can wait for clients that do not read them. Does not count event streams (GET). */
class OpenRequests {
  #count = 0;

  /** Returns false if too many requests are running. Otherwise counts the request until its connection closes. */
  admit({ method }: Pick<IncomingMessage, "method">, response: Pick<ServerResponse, "once">): boolean {
    if (method !== "POST") return true;
    if (this.#count >= MAX_OPEN_REQUESTS) return false;
    this.#count += 1;
    response.once("close", () => {
      this.#count -= 1;
    });
    return true;
  }
}

const MAX_OPEN_REQUESTS = 256;

import {
  type Agent,
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { messageOf, ToolError } from "@haft/core";
import type { SandboxNetwork } from "@haft/core/capabilities";
import { dialingAgent } from "./dialing-agent.js";
import { endToEndHeaders } from "./end-to-end-headers.js";
import { type NpmRegistry, registryFor, registryRequest } from "./npm-registries.js";

/** Connects to an address, or rejects with URL_DENIED. A tunnel carries raw bytes; otherwise https uses TLS. */
export type GuardedDial = (
  url: string,
  how: { readonly isTunnel: boolean; readonly isConfigured?: boolean },
  signal: AbortSignal,
) => Promise<Socket>;

interface BoxProxyOptions {
  /** The unix socket to listen on. */
  readonly path: string;
  readonly dial: GuardedDial;
  /** Checks each request and tunnel against the rules of the call. Rejects if one is refused. */
  readonly admit?: SandboxNetwork["admit"] | undefined;
  /** The npm registries to forward to, with their credentials. Empty unless the command may use them. */
  readonly registries: readonly NpmRegistry[];
}

export interface BoxProxy {
  /** The reasons for refused addresses, each once. */
  readonly refusals: readonly string[];
  close(): Promise<void>;
}

/**
 * Opens an HTTP proxy, the only way out of a box with network access. Every connection goes through the guarded
 * client. Requests without a host go to the npm registry; the proxy adds its credentials, so the box never sees them.
 */
export async function openBoxProxy(options: BoxProxyOptions): Promise<BoxProxy> {
  const proxy = new GuardedProxy(options);
  await proxy.listen();
  return proxy;
}

class GuardedProxy implements BoxProxy {
  readonly refusals: string[] = [];
  readonly #options: BoxProxyOptions;
  readonly #server: Server;
  readonly #over = new AbortController();
  readonly #open = new Set<Duplex>();
  readonly #agents = new Map<string, Agent>();
  #bytes = 0;

  constructor(options: BoxProxyOptions) {
    this.#options = options;
    this.#server = createServer((message, response) => void this.#forward(message, response));
    this.#server.maxConnections = MAX_CONNECTIONS;
    this.#server.on("connection", (socket) => this.#hold(socket));
    this.#server.on("connect", (message, socket, head) => this.#tunnel(message, socket, head));
    this.#server.on("upgrade", (_message, socket) => socket.destroy());
    this.#server.on("clientError", (_error, socket) => socket.destroy());
  }

  listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(this.#options.path, () => resolve());
    });
  }

  async close(): Promise<void> {
    this.#over.abort(new Error("the command has ended"));
    for (const stream of this.#open) stream.destroy();
    for (const agent of this.#agents.values()) agent.destroy();
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #tunnel({ url = "" }: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    this.#hold(client);
    try {
      const scheme = url.endsWith(":80") ? "http" : "https";
      const address = `${scheme}://${url}/`;
      await this.#options.admit?.(address, { isTunnel: true });
      const remote = await this.#options.dial(address, { isTunnel: true }, this.#over.signal);
      this.#hold(remote);
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      remote.write(head);
      client.pipe(remote).pipe(client);
      for (const stream of [client, remote]) stream.on("data", (chunk: Buffer) => this.#count(chunk));
    } catch (error) {
      client.end(`HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n${this.#note(error)}\n`);
    }
  }

  async #forward(message: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const { url, agent, headers } = this.#destination(message);
      await this.#options.admit?.(url.href, { isTunnel: false });
      const { method } = message;
      const forwarded = request({ agent, method, path: url.pathname + url.search, headers, setHost: false });
      forwarded.on("response", (answer) => {
        response.writeHead(answer.statusCode ?? 502, endToEndHeaders(answer.headers));
        answer.on("data", (chunk: Buffer) => this.#count(chunk));
        answer.pipe(response);
      });
      forwarded.on("error", (error) => this.#refuse(response, error));
      response.on("close", () => forwarded.destroy());
      message.pipe(forwarded);
    } catch (error) {
      this.#refuse(response, error);
    }
  }

  #destination(message: IncomingMessage): Destination {
    const { url: target = "/", method = "GET" } = message;
    const headers = endToEndHeaders(message.headers);
    if (/^https?:/i.test(target)) {
      const url = new URL(target);
      return { url, agent: this.#agentFor(url, false), headers: { ...headers, host: url.host } };
    }
    const registry = registryFor(this.#options.registries, target);
    if (registry === undefined)
      throw new ToolError("URL_DENIED", "This command may not use the npm registry");
    if (method !== "GET" && method !== "HEAD")
      throw new ToolError("URL_DENIED", `${method} requests to the npm registry are not forwarded`);
    const { url, authorization } = registryRequest(registry, target);
    const { authorization: _own, cookie: _cookie, ...harmless } = headers;
    const added = authorization === undefined ? {} : { authorization };
    return {
      url,
      agent: this.#agentFor(url, registry.isTrusted),
      headers: { ...harmless, ...added, host: url.host },
    };
  }

  /** Separates agents: a connection to a configured address was not vetted, so no other request may use it. */
  #agentFor({ origin }: URL, isConfigured: boolean): Agent {
    const key = `${isConfigured ? "configured" : "vetted"} ${origin}`;
    const known = this.#agents.get(key);
    if (known !== undefined) return known;
    const open = () => this.#options.dial(`${origin}/`, { isTunnel: false, isConfigured }, this.#over.signal);
    const agent = dialingAgent(open, (socket) => this.#hold(socket));
    this.#agents.set(key, agent);
    return agent;
  }

  #hold(stream: Duplex): void {
    this.#open.add(stream);
    stream.on("error", () => stream.destroy());
    stream.once("close", () => this.#open.delete(stream));
  }

  #count({ length }: Buffer): void {
    this.#bytes += length;
    if (this.#bytes <= MAX_BYTES) return;
    this.#note(new Error(`more than ${MAX_BYTES / 2 ** 20} MiB went through the proxy`));
    for (const stream of this.#open) stream.destroy();
  }

  #refuse(response: ServerResponse, error: unknown): void {
    const why = this.#note(error);
    if (response.headersSent) response.destroy();
    else response.writeHead(ToolError.is(error) ? 403 : 502, { connection: "close" }).end(`${why}\n`);
  }

  #note(error: unknown): string {
    const why = messageOf(error);
    if (!this.#over.signal.aborted && this.refusals.length < MAX_REFUSALS && !this.refusals.includes(why))
      this.refusals.push(why);
    return why;
  }
}

interface Destination {
  readonly url: URL;
  readonly agent: Agent;
  readonly headers: Record<string, string | string[] | undefined>;
}

const MAX_CONNECTIONS = 128;
const MAX_BYTES = 1024 * 2 ** 20;
const MAX_REFUSALS = 20;

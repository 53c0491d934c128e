import { isInitializeRequest, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { createMcpServer, type McpServer } from "../create-mcp-server.js";
import type { RuntimeSource } from "../mcp-options.js";
import {
  DEFAULT_MAX_BODY_BYTES,
  DEFAULT_MAX_SESSIONS,
  DEFAULT_SESSION_IDLE_MS,
  type HttpOptions,
} from "./http-options.js";
import { handleHidden } from "./message-body.js";
import { refusal } from "./request-guard.js";

/** The sessions of 2025 clients. Each has its own runtime, so that reads, grants and workspaces are never shared. */
export class Sessions {
  readonly #source: RuntimeSource;
  readonly #options: HttpOptions;
  readonly #open = new Map<string, Session>();
  readonly #sweeper: NodeJS.Timeout;
  readonly #starting = new Set<Session>();

  constructor(source: RuntimeSource, options: HttpOptions) {
    this.#source = source;
    this.#options = options;
    const idleMs = options.sessionIdleMs ?? DEFAULT_SESSION_IDLE_MS;
    this.#sweeper = setInterval(() => this.#sweep(idleMs), Math.min(idleMs, SWEEP_MS)).unref();
  }

  get size(): number {
    return this.#open.size;
  }

  async handle(request: Request, body: unknown): Promise<Response> {
    const id = request.headers.get("mcp-session-id");
    if (id !== null) {
      const session = this.#open.get(id);
      if (session === undefined) return refusal(404, "Session not found", SESSION_NOT_FOUND);
      return session.handle(request, body);
    }
    if (!opensSession(body)) return refusal(400, "Bad Request: Mcp-Session-Id header is required");
    if (!this.#makeRoom()) return refusal(503, "Too many active sessions");
    return this.#start(request, body);
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    await Promise.allSettled([...this.#open.values()].map((session) => session.close()));
  }

  async #start(request: Request, body: unknown): Promise<Response> {
    const session = new Session(this.#source, this.#options);
    this.#starting.add(session);
    try {
      await session.connect({
        opened: (id) => this.#opened(id, session),
        closed: () => this.#forget(session),
      });
      return await session.handle(request, body);
    } finally {
      this.#starting.delete(session);
      // Closes a session that failed to open.
      if (session.id === undefined || !this.#open.has(session.id)) session.end();
    }
  }

  /** Moves a session from starting to open. */
  #opened(id: string, session: Session): void {
    this.#starting.delete(session);
    this.#open.set(id, session);
  }

  /**
   * Ends the longest idle session if there are too many, because clients rarely announce that they leave. Never ends an
   * active one; returns false if all are active.
   */
  #makeRoom(): boolean {
    const max = this.#options.maxSessions ?? DEFAULT_MAX_SESSIONS;
    while (this.#open.size + this.#starting.size >= max) {
      const now = performance.now();
      const idle = [...this.#open.values()].filter(({ lastUsedAt }) => lastUsedAt < now);
      const [first, ...others] = idle;
      if (first === undefined) return false;
      const longest = others.reduce((one, other) => (other.lastUsedAt < one.lastUsedAt ? other : one), first);
      this.#forget(longest);
      longest.end();
    }
    return true;
  }

  #forget(session: Session): void {
    if (session.id !== undefined) this.#open.delete(session.id);
  }

  #sweep(idleMs: number): void {
    const now = performance.now();
    for (const session of this.#open.values()) {
      if (now - session.lastUsedAt > idleMs) session.end();
    }
  }
}

const SWEEP_MS = 60_000;
const SESSION_NOT_FOUND = -32001;

class Session {
  #lastRequestAt = performance.now();
  readonly #server: McpServer;
  readonly #options: HttpOptions;
  #transport: WebStandardStreamableHTTPServerTransport | undefined;
  #closing: Promise<void> | undefined;

  constructor(source: RuntimeSource, options: HttpOptions) {
    this.#server = createMcpServer(source, options);
    this.#options = options;
  }

  get id(): string | undefined {
    return this.#transport?.sessionId;
  }

  /** Now, while a call runs or waits for approval. */
  get lastUsedAt(): number {
    return Math.max(this.#lastRequestAt, this.#server.lastUsedAt);
  }

  async connect(on: { opened(id: string): void; closed(): void }): Promise<void> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: on.opened,
      maxRequestBodySize: this.#options.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES,
    });
    this.#transport = transport;
    const connection = this.#server.connection("legacy");
    await connection.connect(transport);
    const previous = transport.onclose;
    transport.onclose = () => {
      previous?.();
      on.closed();
      this.end();
    };
  }

  handle(request: Request, body: unknown): Promise<Response> {
    this.#lastRequestAt = performance.now();
    const transport = this.#transport as WebStandardStreamableHTTPServerTransport;
    return handleHidden({ rawArguments: this.#server.rawArguments, body }, (parsedBody) =>
      transport.handleRequest(request, parsedBody === undefined ? {} : { parsedBody }),
    );
  }

  close(): Promise<void> {
    // Deferred, because closing calls back into this session before the server's promise exists.
    this.#closing ??= Promise.resolve().then(() => this.#server.close());
    return this.#closing;
  }

  /** Closes in the background. */
  end(): void {
    this.close().catch((error: Error) => this.#options.onError?.(error));
  }
}

function opensSession(body: unknown): boolean {
  return (Array.isArray(body) ? body : [body]).some((message) => isInitializeRequest(message));
}

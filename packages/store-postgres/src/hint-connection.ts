import pg from "pg";
import { KEEP_ALIVE_MS } from "./database.js";
import { OpenSockets } from "./open-sockets.js";

interface HintConnectionOptions {
  readonly url: string;
  readonly channel: string;
  /** How long a statement may take before the connection counts as lost. */
  readonly statementMs: number;
  /** Undefined after a new connection: notifications may have been missed. */
  onHint(payload: string | undefined): void;
}

/**
 * The listening connection. It reconnects automatically, even if the server disappears without closing it; polling
 * covers the gap.
 */
export class HintConnection {
  readonly #options: HintConnectionOptions;
  readonly #sockets = new OpenSockets();
  #client: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isOpen = false;
  #isClosed = false;

  constructor(options: HintConnectionOptions) {
    this.#options = options;
  }

  open(): void {
    if (this.#isOpen || this.#isClosed) return;
    this.#isOpen = true;
    void this.#connect();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    if (this.#client !== undefined) await this.#sockets.closeAfter(this.#client.end());
  }

  async #connect(): Promise<void> {
    const { url, channel, statementMs, onHint } = this.#options;
    const client = new pg.Client({
      connectionString: url,
      application_name: "haft listener",
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      connectionTimeoutMillis: RETRY_MS,
      query_timeout: statementMs,
      stream: this.#sockets.open,
    });
    this.#client = client;
    let isOver = false;
    const again = () => {
      if (isOver || this.#isClosed) return;
      isOver = true;
      void client.end().catch(() => {});
      this.#after(RETRY_MS, () => this.#connect());
    };
    client.on("error", again);
    client.on("end", again);
    client.on("notification", ({ payload }) => onHint(payload));
    try {
      await client.connect();
      await client.query(`LISTEN ${channel}`);
      onHint(undefined);
      this.#probe(client, again);
    } catch {
      again();
    }
  }

  /** A broken network path closes no socket: only an unanswered query reveals it. */
  #probe(client: pg.Client, onLost: () => void): void {
    this.#after(2 * this.#options.statementMs, () =>
      client.query("SELECT 1").then(() => this.#probe(client, onLost), onLost),
    );
  }

  #after(ms: number, work: () => Promise<void>): void {
    if (this.#isClosed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void work(), ms);
    this.#timer.unref();
  }
}

const RETRY_MS = 1_000;

import { ToolError } from "@haft/core";
import pg from "pg";
import { OpenSockets } from "./open-sockets.js";
import { storeError } from "./store-error.js";

export interface PostgresOptions {
  /** Such as `postgres://haft:secret@db/haft`. May point to a transaction pooler. */
  readonly url: string;
  /**
   * The address of the server itself, for notifications, if `url` leads to a transaction pooler. `false` polls instead.
   * Default: `url`.
   */
  readonly listenUrl?: string | false;
  /** Default: "haft". */
  readonly schema?: string;
  /** Connections of this process, in addition to the listening one. Default: 10. */
  readonly maxConnections?: number;
  /** How long a statement may take before the store counts as unavailable. Default: 5,000. */
  readonly statementMs?: number;
}

export type Row = Readonly<Record<string, unknown>>;
export type Query = (text: string, values?: readonly unknown[]) => Promise<readonly Row[]>;

/**
 * The connections of one store. Uses no session state, so that it works behind a transaction pooler: no prepared
 * statements, no session settings, no session locks.
 */
export class Database {
  readonly schema: string;
  readonly statementMs: number;
  readonly #pool: pg.Pool;
  readonly #sockets = new OpenSockets();
  readonly #prepare: (database: Database) => Promise<void>;
  #prepared: Promise<void> | undefined;
  #closed: Promise<void> | undefined;

  /** Before the first `query`, `prepare` checks the database. */
  constructor(options: PostgresOptions, prepare: (database: Database) => Promise<void>) {
    const { url, schema = "haft", maxConnections = 10, statementMs = 5_000 } = options;
    if (!/^[a-z_][a-z0-9_]{0,40}$/.test(schema))
      throw new ToolError("CONFIG_INVALID", `${JSON.stringify(schema)} is not a schema name`, {
        hint: "Use lower-case letters, digits and underscores.",
      });
    this.schema = schema;
    this.statementMs = statementMs;
    this.#prepare = prepare;
    this.#pool = new pg.Pool({
      connectionString: url,
      max: maxConnections,
      connectionTimeoutMillis: Math.min(statementMs, CONNECT_MS),
      query_timeout: statementMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      application_name: "haft",
      stream: this.#sockets.open,
    });
    // A connection that breaks while it is idle is replaced at the next query.
    this.#pool.on("error", ignore);
    // A new connection can break before its first query has a listener. Without one, that error would end the process.
    this.#pool.on("connect", (client) => client.on("error", ignore));
  }

  /**
   * Runs one statement. `haft.` in it is replaced by the schema. Rejects with STORE_UNAVAILABLE if the server is
   * unavailable.
   */
  readonly query: Query = async (text, values) => {
    this.#prepared ??= this.#prepare(this).catch((error) => {
      this.#prepared = undefined;
      throw error;
    });
    await this.#prepared;
    return this.queryAnySchema(text, values);
  };

  /** The same, whatever the version of the schema. */
  readonly queryAnySchema: Query = async (text, values) => {
    try {
      return (await this.#pool.query(this.#inSchema(text), [...(values ?? [])])).rows;
    } catch (cause) {
      throw storeError(cause, this.schema);
    }
  };

  /** Runs statements in one transaction. Each may take `statementMs`, or as long as given. */
  async transaction<T>(work: (query: Query) => Promise<T>, statementMs?: number): Promise<T> {
    let client: pg.PoolClient | undefined;
    let failure: Error | undefined;
    try {
      client = await this.#pool.connect();
      const connected = client;
      await connected.query("BEGIN");
      const result = await work(async (text, values) => {
        const limit = statementMs !== undefined && { query_timeout: statementMs };
        const statement = { text: this.#inSchema(text), values: [...(values ?? [])], ...limit };
        return (await connected.query(statement)).rows;
      });
      await connected.query("COMMIT");
      return result;
    } catch (cause) {
      failure = cause instanceof Error ? cause : new Error(String(cause));
      throw storeError(cause, this.schema);
    } finally {
      // A connection whose transaction failed is not reused: the server rolls back.
      client?.release(failure);
    }
  }

  /** Idempotent. Waits a second for connections to end, then destroys them: the server may never answer. */
  async close(): Promise<void> {
    this.#closed ??= this.#sockets.closeAfter(this.#pool.end());
    await this.#closed;
  }

  #inSchema(text: string): string {
    return this.schema === "haft" ? text : text.replaceAll(/\bhaft\./g, () => `${this.schema}.`);
  }
}

const CONNECT_MS = 3_000;
/** A connection without traffic is probed after this time. */
export const KEEP_ALIVE_MS = 10_000;
const ignore = () => {};

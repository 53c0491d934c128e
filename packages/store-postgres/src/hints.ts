import { randomUUID } from "node:crypto";
import type { CallHint } from "@haft/core/calls";
import type { Database } from "./database.js";
import { HintConnection } from "./hint-connection.js";

/** The payload of a notification: topics, and the calls that changed. */
export type StoreHint = CallHint | { readonly topic: "approval" };

/**
 * Notifies other processes in a separate transaction: a NOTIFY inside a durable transaction would make all of them wait
 * for each other. Hints are merged while one is being sent, and may be lost. This process receives its own at once.
 */
export class Hints {
  readonly #database: Database;
  readonly #channel: string;
  readonly #connection: HintConnection | undefined;
  readonly #listeners = new Set<(hint: StoreHint) => void>();
  #topics = new Set<StoreHint["topic"]>();
  #callIds: Set<string> | "any" = new Set();
  readonly #soon = new Set<string>();
  #soonTimer: NodeJS.Timeout | undefined;
  readonly #sender = randomUUID();
  #sending: Promise<void> | undefined;

  constructor(database: Database, listenUrl: string | undefined) {
    this.#database = database;
    this.#channel = `haft_${database.schema}`;
    if (listenUrl === undefined) return;
    const { statementMs } = database;
    const onHint = (text: string | undefined) => this.#hear(text);
    this.#connection = new HintConnection({ url: listenUrl, channel: this.#channel, statementMs, onHint });
  }

  watch(listener: (hint: StoreHint) => void): () => void {
    // A new function each time, so that a listener that is registered twice is called twice.
    const own = (hint: StoreHint) => listener(hint);
    this.#listeners.add(own);
    this.#connection?.open();
    return () => this.#listeners.delete(own);
  }

  send(...hints: readonly StoreHint[]): void {
    for (const hint of hints) {
      this.#topics.add(hint.topic);
      if (hint.topic !== "call") continue;
      for (const callId of hint.callIds ?? []) this.#soon.delete(callId);
      if (hint.callIds === undefined || this.#callIds === "any") this.#callIds = "any";
      else for (const callId of hint.callIds) this.#callIds.add(callId);
    }
    this.#tell(hints);
    this.#sending ??= this.#flush();
  }

  /** Reports calls after a moment, together with any others by then. */
  sendSoon(callIds: readonly string[]): void {
    for (const callId of callIds) this.#soon.add(callId);
    this.#soonTimer ??= setTimeout(() => {
      this.#soonTimer = undefined;
      if (this.#soon.size === 0) return;
      this.send({ topic: "call", callIds: [...this.#soon] });
    }, SOON_MS).unref();
  }

  async close(): Promise<void> {
    this.#listeners.clear();
    clearTimeout(this.#soonTimer);
    await this.#sending;
    await this.#connection?.close();
  }

  async #flush(): Promise<void> {
    // Hints of the same turn are sent together.
    await Promise.resolve();
    while (this.#topics.size > 0) {
      const payload = payloadOf(this.#sender, this.#topics, this.#callIds);
      const isBusy = this.#callIds === "any" || this.#callIds.size > 1;
      this.#topics = new Set();
      this.#callIds = new Set();
      await this.#database.query(NOTIFY, [this.#channel, payload]).catch(() => {});
      // A single hint is sent without delay.
      if (isBusy) await new Promise((resolve) => setTimeout(resolve, SPACING_MS));
    }
    this.#sending = undefined;
  }

  /** Undefined: notifications may have been missed. */
  #hear(text: string | undefined): void {
    this.#tell(text === undefined ? ALL : readPayload(text, this.#sender));
  }

  #tell(hints: readonly StoreHint[]): void {
    for (const hint of hints) for (const listener of [...this.#listeners]) listener(hint);
  }
}

// A server that crashes loses its listeners too, so a notification need not wait for the disk.
const NOTIFY = "SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, $2)";
/** Most calls have settled by then, which is reported anyway. */
const SOON_MS = 30;
const SPACING_MS = 3;
/** The server's limit is 8,000 bytes. */
const MAX_PAYLOAD = 7_000;
const ALL: readonly StoreHint[] = [
  { topic: "queue" },
  { topic: "cancel" },
  { topic: "call" },
  { topic: "approval" },
];

interface Payload {
  readonly from: string;
  readonly topics: readonly StoreHint["topic"][];
  readonly callIds?: readonly string[];
}

function payloadOf(
  from: string,
  topics: ReadonlySet<StoreHint["topic"]>,
  callIds: ReadonlySet<string> | "any",
): string {
  const short: Payload = { from, topics: [...topics] };
  const whole = JSON.stringify({ ...short, ...(callIds !== "any" && { callIds: [...callIds] }) });
  return new TextEncoder().encode(whole).length <= MAX_PAYLOAD ? whole : JSON.stringify(short);
}

/** Undefined for a hint of this process, which was delivered when it was sent. */
function readPayload(text: string, self: string): readonly StoreHint[] {
  try {
    const { from, topics, callIds } = JSON.parse(text) as Payload;
    if (from === self) return [];
    return topics.map((topic) => (topic === "call" && callIds ? { topic, callIds } : { topic }));
  } catch {
    return ALL;
  }
}

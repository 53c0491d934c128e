import type { Socket } from "node:net";
import type { Readable } from "node:stream";
import type { buildConnector } from "undici";
import { type DialSettings, dialVetted } from "./dial.js";
import type { Lookup } from "./resolve-host.js";
import { withTimeLimit } from "./time-limit.js";
import { vetAddresses } from "./vet-addresses.js";
import type { Admission } from "./web-url-policy.js";

/** One request to one admitted address. */
export interface Hop extends Admission {
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

export interface ExchangeSettings extends DialSettings {
  readonly lookup?: Lookup | undefined;
  /** From the name to the last header. */
  readonly headersMs: number;
}

/** An answer whose body has not been read. It must be closed. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readable;
  close(): void;
}

/** Resolves, checks, connects and asks: once, without retries, proxies or a pool of connections. */
export async function exchange(hop: Hop, settings: ExchangeSettings, signal: AbortSignal): Promise<Answer> {
  const limit = { ms: settings.headersMs, what: `Reaching ${hop.url.host}` };
  return withTimeLimit(limit, signal, async (limited) => {
    const addresses = await vetAddresses(hop, settings.lookup);
    const socket = await dialVetted({ ...hop, addresses }, settings, limited);
    return askOver(socket, hop, limited);
  });
}

async function askOver(socket: Socket, hop: Hop, signal: AbortSignal): Promise<Answer> {
  const { url, method, headers, body = null } = hop;
  // Loaded here because most runtimes never reach the network.
  const { Client } = await import("undici");
  const client = new Client(url.origin, {
    connect: onlyOnce(socket),
    pipelining: 0,
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const close = () => {
    socket.destroy();
    client.destroy().catch(() => {});
  };
  try {
    const path = url.pathname + url.search;
    const answer = await client.request({ path, method, headers: { ...headers }, body, signal });
    // Whoever reads the body hears of its failure; a body nobody reads must not end the process.
    answer.body.on("error", () => {});
    return { status: answer.statusCode, headers: flat(answer.headers), body: answer.body, close };
  } catch (error) {
    close();
    throw error;
  }
}

const MAX_HEADER_BYTES = 64 * 1024;

/** The connection was made and checked before; a second one is never opened. */
function onlyOnce(socket: Socket): buildConnector.connector {
  let isUsed = false;
  return (_options, callback) => {
    const wasUsed = isUsed;
    isUsed = true;
    // The client does not go on when it is answered before it has finished asking.
    queueMicrotask(() => {
      if (wasUsed) callback(new Error("the connection was closed"), null);
      else callback(null, socket);
    });
  };
}

function flat(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name, [value ?? ""].flat().join(", ")]);
  return Object.fromEntries(entries) as Record<string, string>;
}

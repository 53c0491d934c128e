import { type ClientRequest, type IncomingMessage, request } from "node:http";
import type { Socket } from "node:net";

interface HttpRequest {
  readonly url: URL;
  readonly method: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** A response whose body has not been read. The caller must close it. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: IncomingMessage;
  close(): void;
}

/**
 * Sends one HTTP/1.1 request over an open connection and resolves with the headers. Closing the response closes the
 * connection. Every failure is a rejection or an error of the body, even for malformed responses.
 *
 * SECURITY: this uses node:http, not undici or fetch: undici 7 throws `assert(!this.paused)` outside of any promise
 * when a server closes the connection while the body is paused, which ends the process.
 */
export function sendHttp(sent: HttpRequest, socket: Socket, signal: AbortSignal): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const asked = open(sent, socket);
    const close = () => {
      asked.destroy();
      socket.destroy();
    };
    const abort = () => fail(signal.reason);
    const settle = () => signal.removeEventListener("abort", abort);
    const fail = (error: unknown) => {
      settle();
      close();
      reject(error);
    };
    ignoreLateErrors(asked, socket);
    const closed = () => fail(closedEarly());
    asked.on("error", fail);
    asked.once("close", closed);
    asked.once("upgrade", () => fail(new Error("it switched to another protocol")));
    rejectEndlessInterim(asked, fail);
    asked.once("response", (response) => {
      settle();
      // From here on an unfinished body fails by itself. Destroying the request would also discard a finished one.
      asked.off("error", fail).off("close", closed);
      response.on("error", () => {});
      resolve({ status: response.statusCode ?? 0, headers: flat(response), body: response, close });
    });
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) return abort();
    if (socket.destroyed) return fail(closedEarly());
    asked.end(sent.body);
  });
}

function open({ url, method, headers }: HttpRequest, socket: Socket): ClientRequest {
  return request({
    // Used once: without an agent there is no pool, and the request says `Connection: close`.
    createConnection: () => socket,
    method,
    path: url.pathname + url.search,
    headers: { host: url.host, ...headers },
    maxHeaderSize: MAX_HEADER_BYTES,
    insecureHTTPParser: false,
  });
}

const MAX_HEADER_BYTES = 64 * 1024;

/**
 * Prevents a crash: an error event without a listener ends the process, and both can fail after the response was
 * closed.
 */
function ignoreLateErrors(asked: ClientRequest, socket: Socket): void {
  asked.on("error", () => {});
  socket.on("error", () => {});
}

/** Limits interim (1xx) responses: a server may send them forever. */
function rejectEndlessInterim(asked: ClientRequest, fail: (error: Error) => void): void {
  let count = 0;
  const onInterim = () => {
    count += 1;
    if (count > MAX_INTERIM) fail(new Error(`it sent more than ${MAX_INTERIM} interim responses`));
  };
  asked.on("information", onInterim);
}

const MAX_INTERIM = 32;

function closedEarly(): Error {
  return Object.assign(new Error("the connection was closed"), { code: "ECONNRESET" });
}

function flat({ headers }: IncomingMessage): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [
    name,
    decoded([value ?? ""].flat().join(", ")),
  ]);
  return Object.fromEntries(entries) as Record<string, string>;
}

/**
 * Decodes a header value. Node reads header bytes as Latin-1, but servers that send more than ASCII mostly send
 * UTF-8.
 */
function decoded(value: string): string {
  if (!/[\x80-\xff]/.test(value)) return value;
  const text = Buffer.from(value, "latin1").toString("utf8");
  return text.includes("\ufffd") ? value : text;
}

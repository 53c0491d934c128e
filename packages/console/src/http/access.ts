import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

interface AccessOptions {
  /** Random bytes that are kept across restarts, so that open pages stay authorized. */
  readonly secret: Uint8Array;
  readonly port: number;
}

/** Decides who may access the server: the holder of the link, from a page that this server sent. */
export class Access {
  readonly link: string;
  readonly #cookieName: string;
  readonly #cookieValue: string;
  readonly #hosts: ReadonlySet<string>;

  constructor({ secret, port }: AccessOptions) {
    this.link = keyed(secret, "link");
    this.#cookieName = `haft-console-${port}`;
    this.#cookieValue = keyed(secret, `cookie ${port}`);
    this.#hosts = new Set(["127.0.0.1", "localhost", "[::1]"].map((host) => `${host}:${port}`));
  }

  /** SECURITY: a page of another site that resolves its name to this machine sends its own Host. */
  isKnownHost({ headers }: IncomingMessage): boolean {
    return headers.host !== undefined && this.#hosts.has(headers.host);
  }

  /** SECURITY: browsers send Origin with every POST; requests that change anything must carry ours. */
  isOwnOrigin({ headers, method }: IncomingMessage): boolean {
    const { origin } = headers;
    if (origin === undefined) return method === "GET" || method === "HEAD";
    return origin === `http://${headers.host}`;
  }

  /** SECURITY: another site may link here but may not load data, images or scripts from here. */
  isOwnFetch({ headers }: IncomingMessage): boolean {
    const site = headers["sec-fetch-site"];
    return site === undefined || site === "same-origin" || headers["sec-fetch-mode"] === "navigate";
  }

  opens(token: string | null): boolean {
    return token !== null && isEqual(token, this.link);
  }

  hasCookie({ headers }: IncomingMessage): boolean {
    const cookies = (headers.cookie ?? "").split(";").map((part) => part.trim());
    const own = cookies.find((part) => part.startsWith(`${this.#cookieName}=`));
    return own !== undefined && isEqual(own.slice(this.#cookieName.length + 1), this.#cookieValue);
  }

  get setCookie(): string {
    return `${this.#cookieName}=${this.#cookieValue}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${A_MONTH}`;
  }
}

const A_MONTH = 30 * 24 * 60 * 60;

function keyed(secret: Uint8Array, purpose: string): string {
  return createHmac("sha256", secret).update(purpose).digest("base64url");
}

function isEqual(given: string, expected: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}

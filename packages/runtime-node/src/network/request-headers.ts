import { ToolError } from "@haft/core";
import { renderInline, truncateLine } from "@haft/text";

type Headers = Readonly<Record<string, string>>;

/** Normalizes header names to lower case. Throws INVALID_ARGUMENTS for a header that a caller may not set. */
export function readHeaders(given: Headers = {}): Headers {
  const headers: Record<string, string> = { ...DEFAULT_HEADERS };
  let size = 0;
  for (const [name, value] of Object.entries(given)) {
    assertAllowed(name, value);
    size += name.length + value.length;
    headers[name.toLowerCase()] = value.trim();
  }
  if (size > MAX_HEADER_CHARS) throw refused(`The headers are longer than ${MAX_HEADER_CHARS} characters`);
  return headers;
}

/** Returns the headers that may be sent to another origin: no credentials. */
export function withoutCredentials(headers: Headers): Headers {
  return keep(headers, (name) => !CREDENTIAL.test(name));
}

/** Removes the headers that describe a body, for a request that lost its body. */
export function withoutBody(headers: Headers): Headers {
  return keep(headers, (name) => !name.startsWith("content-"));
}

const DEFAULT_HEADERS: Headers = {
  "user-agent": "haft (tools for agents)",
  accept: "*/*",
  "accept-encoding": "gzip, br",
};

const MAX_HEADER_CHARS = 16 * 1024;

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Headers that frame or route the message: the client sets them. */
const RESERVED =
  /^(?:host|connection|keep-alive|transfer-encoding|content-length|te|trailer|upgrade|expect|http2-settings|proxy-.*)$/i;

const CREDENTIAL = /authorization|cookie|token|secret|api-?key|credential|session|signature|^x-auth/i;

function assertAllowed(name: string, value: string): void {
  if (!NAME.test(name)) throw refused(`${shown(name)} is not the name of a header`);
  if (RESERVED.test(name)) throw refused(`The header ${shown(name)} may not be set`);
  if (!VALUE.test(value)) {
    throw refused(
      `The value of the header ${shown(name)} contains a line break or another forbidden character`,
    );
  }
}

function keep(headers: Headers, isKept: (name: string) => boolean): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => isKept(name)));
}

function shown(name: string): string {
  return JSON.stringify(renderInline(truncateLine(name, 80)));
}

function refused(message: string): ToolError {
  return new ToolError("INVALID_ARGUMENTS", message, { hint: "Leave it out. Nothing was sent." });
}

import { createHash, timingSafeEqual } from "node:crypto";
import { isIP } from "node:net";
import { hostHeaderValidationResponse, originValidationResponse } from "@modelcontextprotocol/server";
import type { HttpOptions } from "./http-options.js";

/** Returns the response to a request that must not be served. */
type RequestGuard = (request: Request) => Response | undefined;

type Access = Pick<HttpOptions, "host" | "token" | "allowedHosts">;

/**
 * SECURITY: a web page can make a browser send requests here, and can resolve its own name to this address. The Host
 * and Origin headers must therefore name this server.
 */
export function requestGuard(access: Access): RequestGuard {
  const names = allowedNames(access);
  const isToken = access.token === undefined ? () => true : tokenCheck(access.token);
  return (request) => {
    if (!isPlainOrigin(request.headers.get("origin"))) return refusal(403, "Invalid Origin header");
    if (names !== "any") {
      const refused =
        hostHeaderValidationResponse(request, names) ?? originValidationResponse(request, names);
      if (refused !== undefined) return refused;
    } else if (request.headers.has("origin")) {
      return refusal(403, "Requests from web pages are not served");
    }
    return isToken(request.headers.get("authorization")) ? undefined : unauthorized();
  };
}

/**
 * Returns whether a Host header is a name with an optional port. Check this first: parsers disagree about anything
 * else.
 */
export function isPlainHost(host: string | undefined): host is string {
  return host !== undefined && PLAIN_HOST.test(host) && URL.canParse(`http://${host}`);
}

/**
 * SECURITY: without a token, only Host identifies the intended server, so it must contain our port. Explicitly allowed
 * names may belong to a proxy or tunnel with another port.
 */
export function portGuard({ token, allowedHosts = [] }: Access): PortGuard {
  if (token !== undefined) return () => true;
  return (host, port) => {
    // URLs and clients omit the default port.
    const url = new URL(`http://${host}`);
    return Number(url.port || HTTP_PORT) === port || allowedHosts.includes(url.hostname);
  };
}

/** Returns whether a plain Host header names the port of the connection. */
type PortGuard = (host: string, port: number | undefined) => boolean;

const HTTP_PORT = 80;

function isPlainOrigin(origin: string | null): boolean {
  return (
    origin === null || (/^https?:\/\//.test(origin) && isPlainHost(origin.slice(origin.indexOf("//") + 2)))
  );
}

const PLAIN_HOST = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/i;

/**
 * Throws if the options would let anyone on the network call the tools, or if another user of this machine could guess
 * the token.
 */
export function assertGuarded({ host = LOOPBACK, token }: Access): void {
  if (token === undefined && isLoopback(host)) return;
  if (token === undefined || token.length < MIN_TOKEN_CHARS || /\s/.test(token))
    throw new Error(
      `Serving on ${host} requires a token of at least ${MIN_TOKEN_CHARS} characters without spaces`,
    );
}

export const LOOPBACK = "127.0.0.1";
const MIN_TOKEN_CHARS = 16;

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

/** A server bound to every address cannot know its names, so the token must suffice. */
function allowedNames({ host = LOOPBACK, allowedHosts = [] }: Access): string[] | "any" {
  if (allowedHosts.length === 0 && (host === "0.0.0.0" || host === "::")) return "any";
  return ["localhost", "127.0.0.1", "[::1]", isIP(host) === 6 ? `[${host}]` : host, ...allowedHosts];
}

/** Compares digests in constant time, without revealing the length of the token. */
function tokenCheck(token: string): (header: string | null) => boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  const expected = digest(token);
  return (header) => {
    const given = /^Bearer +(\S+)$/i.exec(header ?? "")?.[1];
    return given !== undefined && timingSafeEqual(digest(given), expected);
  };
}

function unauthorized(): Response {
  const response = refusal(401, "A bearer token is required");
  response.headers.set("www-authenticate", "Bearer");
  return response;
}

/** Creates the protocol's error response without a request id. */
export function refusal(status: number, message: string, code = -32000): Response {
  return Response.json({ jsonrpc: "2.0", id: null, error: { code, message } }, { status });
}

import { createHash, timingSafeEqual } from "node:crypto";
import { isIP } from "node:net";
import { hostHeaderValidationResponse, originValidationResponse } from "@modelcontextprotocol/server";
import type { HttpOptions } from "./http-options.js";

/** The answer to a request that must not be served, whatever it asks for. */
export type RequestGuard = (request: Request) => Response | undefined;

type Access = Pick<HttpOptions, "host" | "token" | "allowedHosts">;

/**
 * SECURITY: a web page can make a browser send requests here, and can make its own name resolve to
 * this address. So the name in Host and the page in Origin must be ones that belong to this server.
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
 * Whether a Host header is a name and maybe a port, as every client sends it. To be asked first: anything else is read in
 * one way here and in another there.
 */
export function isPlainHost(host: string | undefined): host is string {
  return host !== undefined && PLAIN_HOST.test(host) && URL.canParse(`http://${host}`);
}

/**
 * SECURITY: without a token nothing but Host tells whom a client means to talk to, and who means this server names its
 * port. A name that the host allowed may stand for another one, of a proxy or a tunnel.
 */
export function portGuard({ token, allowedHosts = [] }: Access): PortGuard {
  if (token !== undefined) return () => true;
  return (host, port) => {
    // The one that goes without saying is left out there, and by clients.
    const url = new URL(`http://${host}`);
    return Number(url.port || HTTP_PORT) === port || allowedHosts.includes(url.hostname);
  };
}

/** Whether a plain Host header names the port that the request came in by. */
export type PortGuard = (host: string, port: number | undefined) => boolean;

const HTTP_PORT = 80;

function isPlainOrigin(origin: string | null): boolean {
  return (
    origin === null || (/^https?:\/\//.test(origin) && isPlainHost(origin.slice(origin.indexOf("//") + 2)))
  );
}

const PLAIN_HOST = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/i;

/** Throws when the choice would let anybody in reach of this machine call its tools. */
export function assertGuarded({ host = LOOPBACK, token }: Access): void {
  if (isLoopback(host)) return;
  if (token === undefined || token.length < MIN_TOKEN_CHARS) {
    throw new Error(`Serving on ${host} needs a token of at least ${MIN_TOKEN_CHARS} characters`);
  }
}

export const LOOPBACK = "127.0.0.1";
const MIN_TOKEN_CHARS = 16;

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

/** Bound to every address there is no telling by which name it is reached; the token must do. */
function allowedNames({ host = LOOPBACK, allowedHosts = [] }: Access): string[] | "any" {
  if (allowedHosts.length === 0 && (host === "0.0.0.0" || host === "::")) return "any";
  return ["localhost", "127.0.0.1", "[::1]", isIP(host) === 6 ? `[${host}]` : host, ...allowedHosts];
}

/** Compares digests, whose length says nothing, in a time that says nothing. */
function tokenCheck(token: string): (header: string | null) => boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  const expected = digest(token);
  return (header) => {
    const given = /^Bearer +(\S+)$/i.exec(header ?? "")?.[1];
    return given !== undefined && timingSafeEqual(digest(given), expected);
  };
}

function unauthorized(): Response {
  const response = refusal(401, "A bearer token is needed");
  response.headers.set("www-authenticate", "Bearer");
  return response;
}

/** As the protocol says an error that belongs to no request. */
export function refusal(status: number, message: string, code = -32000): Response {
  return Response.json({ jsonrpc: "2.0", id: null, error: { code, message } }, { status });
}

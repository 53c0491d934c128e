import type { Socket } from "node:net";
import { ToolError } from "@haft/core";
import type { NetworkClient, NetworkRequest, NetworkResponse } from "@haft/core/capabilities";
import { originOf } from "./allow-list.js";
import type { GuardedDial } from "./box-proxy.js";
import { type Dial, dialVetted } from "./dial.js";
import type { ExchangeSettings, Hop } from "./exchange.js";
import { followRedirect } from "./follow-redirect.js";
import { networkFailure } from "./network-failure.js";
import { openConnection } from "./open-connection.js";
import { parseWebUrl } from "./parse-web-url.js";
import { RateLimit } from "./rate-limit.js";
import { readHeaders } from "./request-headers.js";
import type { HttpResponse } from "./send-http.js";
import { withTimeLimit } from "./time-limit.js";
import { urlDenied } from "./url-denied.js";
import { vetAddresses } from "./vet-addresses.js";
import { type Admission, type UrlSettings, WebUrlPolicy } from "./web-url-policy.js";

export interface GuardedClientOptions extends UrlSettings, Partial<ExchangeSettings> {
  /**
   * Addresses of services that the host configured, by name. Any address is allowed, but only for requests that name
   * it.
   */
  readonly endpoints?: Readonly<Record<string, string>> | undefined;
  /** The limit for a decompressed body. Default 5 MB, at most 20 MB. */
  readonly maxBytes?: number | undefined;
  /** The limit for a request with its redirects, unless the request sets one. Default 30 s, at most 120 s. */
  readonly timeoutMs?: number | undefined;
  /** Requests per host. The host's own origins and endpoints are not counted. Default 10. */
  readonly requestsPerMinute?: number | undefined;
}

/** A client that reaches only what the settings allow, and checks every hop when it connects. */
export interface GuardedClient extends NetworkClient {
  readonly policy: WebUrlPolicy;
  /** Returns the dial function for a command in a box: listed hosts, and those approved for it. */
  dialFor(approvedHosts: readonly string[]): GuardedDial;
}

/** Throws CONFIG_INVALID for an invalid list. */
export function guardedClient(options: GuardedClientOptions = {}): GuardedClient {
  const policy = new WebUrlPolicy(options);
  const rates = new RateLimit(options.requestsPerMinute ?? 10);
  const endpoints = new Map(
    Object.entries(options.endpoints ?? {}).map(([name, url]) => [name, originOf(new URL(url).origin)]),
  );
  const settings: Settings = {
    lookup: options.lookup,
    dial: options.dial,
    ca: options.ca,
    headersMs: options.headersMs ?? 10_000,
    maxBytes: Math.min(options.maxBytes ?? 5 * MEGABYTE, 20 * MEGABYTE),
  };
  const fetch = (request: NetworkRequest, signal: AbortSignal): Promise<NetworkResponse> => {
    const ms = Math.min(request.timeoutMs ?? options.timeoutMs ?? 30_000, 120_000);
    const admit = admissionFor(request, { policy, endpoints });
    return withTimeLimit({ ms, what: "The request" }, signal, (limited) =>
      fetchGuarded({ request, admit, rates, settings }, limited),
    );
  };
  return {
    policy,
    fetch: async (request, signal) => fetch(request, signal),
    dialFor: (approvedHosts) => (url, how, signal) =>
      dialGuarded({ url, approvedHosts, ...how }, { policy, settings }, signal),
  };
}

interface Dialled {
  readonly url: string;
  readonly approvedHosts: readonly string[];
  readonly isTunnel: boolean;
  /** Whether the host configured exactly this address. */
  readonly isConfigured?: boolean;
}

/** Makes the same checks as for a request: text, name, address, connection. */
async function dialGuarded(
  { url, approvedHosts, isTunnel, isConfigured = false }: Dialled,
  { policy, settings }: { readonly policy: WebUrlPolicy; readonly settings: Settings },
  signal: AbortSignal,
): Promise<Socket> {
  const parsed = parseWebUrl(url);
  const approved = approvedHosts.includes(parsed.hostname) ? parsed.hostname : undefined;
  const admission = isConfigured ? { url: parsed, isExact: true } : policy.admit(url, approved);
  const { dial = openConnection } = settings;
  const plain: Dial = (target, given) => dial({ ...target, secureName: undefined }, given);
  const limit = { ms: settings.headersMs, what: `Reaching ${parsed.host}` };
  return withTimeLimit(limit, signal, async (limited) => {
    const addresses = await vetAddresses(admission, settings.lookup);
    return dialVetted(
      { ...admission, addresses },
      isTunnel ? { ...settings, dial: plain } : settings,
      limited,
    );
  });
}

const MEGABYTE = 1024 * 1024;
const MAX_REDIRECTS = 5;

interface Settings extends ExchangeSettings {
  readonly maxBytes: number;
}

/** Checks whether one request may reach a URL. */
type Admit = (url: string) => Admission;

interface GuardedRequest {
  readonly request: NetworkRequest;
  readonly admit: Admit;
  readonly rates: RateLimit;
  readonly settings: Settings;
}

function admissionFor(
  { url, approved, endpoint }: NetworkRequest,
  known: { readonly policy: WebUrlPolicy; readonly endpoints: ReadonlyMap<string, string> },
): Admit {
  if (endpoint !== undefined) return (target) => admitEndpoint(target, known.endpoints.get(endpoint));
  const approvedHost = approved === true ? parseWebUrl(url).hostname : undefined;
  return (target) => known.policy.admit(target, approvedHost);
}

function admitEndpoint(target: string, origin: string | undefined): Admission {
  const url = parseWebUrl(target);
  if (url.origin === origin) return { url, isExact: true };
  throw urlDenied(target, { because: "it is not the address of the configured service", reason: "endpoint" });
}

/** Sends every hop through all checks: text, name, address, connection. */
async function fetchGuarded(guarded: GuardedRequest, signal: AbortSignal): Promise<NetworkResponse> {
  const { request, admit, rates, settings } = guarded;
  let hop = firstHop(request, admit);
  const asked = new Set<string>();
  for (let redirects = 0; ; redirects += 1) {
    if (!hop.isExact && !asked.has(hop.url.hostname)) rates.take(hop.url.hostname);
    asked.add(hop.url.hostname);
    const answer = await reach(hop, settings, signal);
    try {
      const next = followRedirect(hop, answer);
      if (next === undefined) return await responseOf(hop, answer, { maxBytes: settings.maxBytes, signal });
      if (redirects === MAX_REDIRECTS) throw tooManyRedirects(request.url);
      const { target, ...rest } = next;
      hop = { ...rest, ...admit(target) };
      await request.admitRedirect?.(hop.url.href);
    } finally {
      answer.close();
    }
  }
}

function firstHop({ url, method = "GET", headers, body }: NetworkRequest, admit: Admit): Hop {
  if (body !== undefined && method !== "POST") {
    throw new ToolError("INVALID_ARGUMENTS", "A GET request has no body", { hint: 'Use method "POST".' });
  }
  return { ...admit(url), method, headers: readHeaders(headers), body };
}

async function reach(hop: Hop, settings: Settings, signal: AbortSignal): Promise<HttpResponse> {
  try {
    // Sockets and decompressors are loaded by the first request: most runtimes make none.
    const { exchange } = await import("./exchange.js");
    return await exchange(hop, settings, signal);
  } catch (error) {
    throw networkFailure(error, hop.url);
  }
}

async function responseOf(
  { url }: Hop,
  { status, headers, body, close }: HttpResponse,
  { maxBytes, signal }: { readonly maxBytes: number; readonly signal: AbortSignal },
): Promise<NetworkResponse> {
  signal.addEventListener("abort", close, { once: true });
  try {
    // An empty body is not compressed, even if the server says so.
    const isEmpty = status === 204 || status === 304 || headers["content-length"] === "0";
    const encoding = isEmpty ? "" : (headers["content-encoding"] ?? "");
    const { readBody } = await import("./read-body.js");
    const { bytes, truncated } = await readBody(body, encoding, maxBytes);
    return { status, url: url.href, headers, body: bytes, truncated };
  } catch (error) {
    throw networkFailure(error, url);
  } finally {
    signal.removeEventListener("abort", close);
  }
}

function tooManyRedirects(url: string): ToolError {
  return new ToolError("LIMIT_EXCEEDED", `The address redirects more than ${MAX_REDIRECTS} times`, {
    hint: "It may be a loop. Try another address.",
    details: { url },
  });
}

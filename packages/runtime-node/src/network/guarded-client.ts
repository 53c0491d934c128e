import { type NetworkClient, type NetworkRequest, type NetworkResponse, ToolError } from "@haft/core";
import { originOf } from "./allow-list.js";
import type { Answer, ExchangeSettings, Hop } from "./exchange.js";
import { followRedirect } from "./follow-redirect.js";
import { networkFailure } from "./network-failure.js";
import { parseWebUrl } from "./parse-web-url.js";
import { RateLimit } from "./rate-limit.js";
import { readHeaders } from "./request-headers.js";
import { withTimeLimit } from "./time-limit.js";
import { urlDenied } from "./url-denied.js";
import { type Admission, type UrlSettings, WebUrlPolicy } from "./web-url-policy.js";

export interface GuardedClientOptions extends UrlSettings, Partial<ExchangeSettings> {
  /** Addresses of services the host configured, by name; any address, for requests that name them only. */
  readonly endpoints?: Readonly<Record<string, string>> | undefined;
  /** The most bytes of a body, unpacked. Default 5 MB, at most 20 MB. */
  readonly maxBytes?: number | undefined;
  /** Of one request with its redirects, unless it says otherwise. Default 30 s, at most 120 s. */
  readonly timeoutMs?: number | undefined;
  /** Requests to one host; origins and endpoints are the host's own and not counted. Default 10. */
  readonly requestsPerMinute?: number | undefined;
}

/** A client that reaches what the settings allow, checked where it connects, on every hop. */
export interface GuardedClient extends NetworkClient {
  readonly policy: WebUrlPolicy;
}

/** Throws CONFIG_INVALID when a list cannot be read. */
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
  return { policy, fetch: async (request, signal) => fetch(request, signal) };
}

const MEGABYTE = 1024 * 1024;
const MAX_REDIRECTS = 5;

interface Settings extends ExchangeSettings {
  readonly maxBytes: number;
}

/** What may be reached for one request. */
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

/** Every hop goes through the whole guard: text, name, address, connection. */
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

async function reach(hop: Hop, settings: Settings, signal: AbortSignal): Promise<Answer> {
  try {
    // Sockets and packers are loaded by the first request: most runtimes make none.
    const { exchange } = await import("./exchange.js");
    return await exchange(hop, settings, signal);
  } catch (error) {
    throw networkFailure(error, hop.url);
  }
}

async function responseOf(
  { url }: Hop,
  { status, headers, body, close }: Answer,
  { maxBytes, signal }: { readonly maxBytes: number; readonly signal: AbortSignal },
): Promise<NetworkResponse> {
  signal.addEventListener("abort", close, { once: true });
  try {
    // Nothing is not a packed nothing, although some servers say so.
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

import { ToolError } from "@haft/core";
import type { Hop } from "./exchange.js";
import { withoutBody, withoutCredentials } from "./request-headers.js";
import type { HttpResponse } from "./send-http.js";
import { urlDenied } from "./url-denied.js";

/** The next request of a redirect. Its address is not checked yet. */
interface NextHop extends Omit<Hop, "url" | "isExact"> {
  readonly target: string;
}

/** Returns undefined if the response is final. Throws URL_DENIED for a redirect from https to http. */
export function followRedirect(hop: Hop, { status, headers }: Pick<HttpResponse, "status" | "headers">) {
  const { location } = headers;
  if (!REDIRECTS.has(status) || location === undefined) return undefined;
  const target = targetOf(hop.url, location);
  if (hop.url.protocol === "https:" && target.protocol === "http:") {
    throw urlDenied(target.href, {
      because: `${hop.url.host} redirects from https to http`,
      hint: "Fetch the http address itself if that is what you want.",
      reason: "downgrade",
    });
  }
  const isKept = status === 307 || status === 308;
  const sent = isKept ? hop.headers : withoutBody(hop.headers);
  const next: NextHop = {
    target: target.href,
    method: isKept ? hop.method : "GET",
    body: isKept ? hop.body : undefined,
    // Dropped headers stay dropped, even if a redirect returns to the first origin.
    headers: target.origin === hop.url.origin ? sent : withoutCredentials(sent),
  };
  return next;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

function targetOf(from: URL, location: string): URL {
  if (URL.canParse(location, from.href)) return new URL(location, from.href);
  throw new ToolError("NETWORK_ERROR", `${from.host} redirects to an invalid address`);
}

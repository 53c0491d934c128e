import { ToolError } from "@haft/core";
import type { Answer, Hop } from "./exchange.js";
import { withoutBody, withoutCredentials } from "./request-headers.js";
import { urlDenied } from "./url-denied.js";

/** What an answer asks for next: an address that nobody has checked yet. */
export interface NextHop extends Omit<Hop, "url" | "isExact"> {
  readonly target: string;
}

/** Undefined when the answer is final. Throws URL_DENIED when encryption would be given up. */
export function followRedirect(hop: Hop, { status, headers }: Pick<Answer, "status" | "headers">) {
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
    // What was dropped once stays dropped, also on the way back.
    headers: target.origin === hop.url.origin ? sent : withoutCredentials(sent),
  };
  return next;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

function targetOf(from: URL, location: string): URL {
  if (URL.canParse(location, from.href)) return new URL(location, from.href);
  throw new ToolError("NETWORK_ERROR", `${from.host} redirects to something that is no address`);
}

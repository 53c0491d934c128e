import { type DialSettings, dialVetted } from "./dial.js";
import type { Lookup } from "./resolve-host.js";
import { type HttpResponse, sendHttp } from "./send-http.js";
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
  /** From the name lookup to the last header. */
  readonly headersMs: number;
}

/** Resolves the name, vets the addresses, connects and sends the request once: no retries, proxies or pool. */
export async function exchange(
  hop: Hop,
  settings: ExchangeSettings,
  signal: AbortSignal,
): Promise<HttpResponse> {
  const limit = { ms: settings.headersMs, what: `Reaching ${hop.url.host}` };
  return withTimeLimit(limit, signal, async (limited) => {
    const addresses = await vetAddresses(hop, settings.lookup);
    const socket = await dialVetted({ ...hop, addresses }, settings, limited);
    return sendHttp(hop, socket, limited);
  });
}

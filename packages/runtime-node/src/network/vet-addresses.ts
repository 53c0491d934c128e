import { isIP } from "node:net";
import { bareHost } from "./allow-list.js";
import { isPublicAddress } from "./public-address.js";
import { type Lookup, resolveHost } from "./resolve-host.js";
import { urlDenied } from "./url-denied.js";
import type { Admission } from "./web-url-policy.js";

/**
 * Resolves an admitted address once and returns the addresses to connect to. A single non-public address refuses the
 * name.
 */
export async function vetAddresses({ url, isExact }: Admission, lookup?: Lookup): Promise<readonly string[]> {
  const host = bareHost(url);
  const addresses = isIP(host) === 0 ? await resolveHost(host, lookup) : [host];
  const inner = isExact ? undefined : addresses.find((address) => !isPublicAddress(address));
  if (inner === undefined) return addresses;
  throw urlDenied(url.href, {
    because: `${url.hostname} resolves to ${inner}, which is not a public address`,
    hint: `Only the exact origin in the configuration allows it: web.origins ["${url.origin}"].`,
    reason: "private-address",
  });
}

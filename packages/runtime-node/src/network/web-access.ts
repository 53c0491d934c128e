import { type ProvidedService, token, URL_POLICY } from "@haft/core";
import { ConfigError } from "../config/config-error.js";
import type { WebConfig } from "../config/haft-config.js";
import type { Environment } from "../secrets/scrubbed-environment.js";
import { type GuardedClient, guardedClient } from "./guarded-client.js";
import type { Lookup } from "./resolve-host.js";

/** What the `web` section of a configuration gives a runtime. */
export interface WebAccess {
  readonly network: GuardedClient;
  readonly services: readonly ProvidedService[];
}

export interface WebSurroundings {
  /** Resolves names instead of the system. */
  readonly lookup?: Lookup | undefined;
  /** Where the key of a search provider is taken from. */
  readonly env: Environment;
}

/** Throws CONFIG_INVALID when a list or an address cannot be read. */
export function webAccess(config: WebConfig = {}, { lookup, env }: WebSurroundings): WebAccess {
  const { search, ...lists } = config;
  const address = search?.url ?? SEARCH_ADDRESSES.get(search?.provider ?? "");
  if (address !== undefined && !URL.canParse(address)) {
    throw new ConfigError("CONFIG_INVALID", `web.search.url: ${JSON.stringify(address)} is not an address`);
  }
  const network = guardedClient({
    ...lists,
    lookup,
    ...(address !== undefined && { endpoints: { search: address } }),
  });
  const apiKey = env[search?.apiKeyEnv ?? DEFAULT_KEY_NAME];
  const known = search && { ...search, ...(apiKey !== undefined && { apiKey }) };
  return {
    network,
    services: [
      [URL_POLICY, network.policy],
      [token("config.web"), { ...lists, ...(known && { search: known }) }],
    ],
  };
}

/** Where a provider is found that has one address for everybody. */
const SEARCH_ADDRESSES = new Map([["brave", "https://api.search.brave.com"]]);

const DEFAULT_KEY_NAME = "HAFT_SEARCH_API_KEY";

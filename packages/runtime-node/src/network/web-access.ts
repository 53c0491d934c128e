import { type ProvidedService, token } from "@haft/core";
import { URL_POLICY } from "@haft/core/capabilities";
import { nearestNames } from "@haft/text";
import { ConfigError } from "../config/config-error.js";
import type { SearchConfig, WebConfig } from "../config/haft-config.js";
import type { Environment } from "../secrets/scrubbed-environment.js";
import { type GuardedClient, guardedClient } from "./guarded-client.js";
import type { Lookup } from "./resolve-host.js";

/** The network access that the `web` section of a configuration gives a runtime. */
export interface WebAccess {
  readonly network: GuardedClient;
  readonly services: readonly ProvidedService[];
}

interface WebSurroundings {
  /** Resolves names instead of the system. */
  readonly lookup?: Lookup | undefined;
  /** Provides a search provider's key. */
  readonly env: Environment;
  /** The host's own services, which may include a search provider. */
  readonly services?: readonly ProvidedService[] | undefined;
}

/** Throws CONFIG_INVALID for an invalid list or address. */
export function webAccess(
  config: WebConfig = {},
  { lookup, env, services = [] }: WebSurroundings,
): WebAccess {
  const { search, ...lists } = config;
  const isOwn = services.some(([{ name }]) => name === "search-provider");
  if (search !== undefined && !isOwn) checkSearch(search);
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

function checkSearch({ provider, url }: SearchConfig): void {
  const fail = (problem: string) => {
    throw new ConfigError("CONFIG_INVALID", `web.search.${problem}`);
  };
  if (!SEARCH_PROVIDERS.includes(provider)) {
    const [nearest] = nearestNames(provider, SEARCH_PROVIDERS, 1);
    const advice =
      nearest === undefined ? `use ${SEARCH_PROVIDERS.join(" or ")}` : `did you mean ${nearest}?`;
    fail(`provider: ${JSON.stringify(provider)} is not a search provider; ${advice}`);
  }
  if (url === undefined && !SEARCH_ADDRESSES.has(provider)) fail(`url is missing; ${provider} needs one`);
}

const SEARCH_PROVIDERS = ["searxng", "brave"];

/** Providers with one fixed address. */
const SEARCH_ADDRESSES = new Map([["brave", "https://api.search.brave.com"]]);

const DEFAULT_KEY_NAME = "HAFT_SEARCH_API_KEY";

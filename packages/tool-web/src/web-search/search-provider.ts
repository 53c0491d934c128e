import { ToolError, token } from "@haft/core";
import type { NetworkClient } from "@haft/core/capabilities";

/** Finds pages. The tool cleans, limits and marks the results. */
export interface SearchProvider {
  readonly name: string;
  /** Why no search can succeed. Reported before approval is requested. */
  readonly refusal?: ToolError | undefined;
  search(query: SearchQuery, reach: SearchReach): Promise<readonly SearchHit[]>;
}

export interface SearchQuery {
  readonly query: string;
  readonly count: number;
}

/** A request with `endpoint: "search"` reaches only the address the host configured for it. */
export interface SearchReach {
  readonly network: NetworkClient;
  readonly signal: AbortSignal;
}

export interface SearchHit {
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
}

/** Hosts register their own provider here; the default is the configured one. */
export const SEARCH_PROVIDER = token<SearchProvider>("search-provider", () => NO_PROVIDER);

export const NO_PROVIDER = unusableProvider("none", "No search provider is configured");

/** Creates a provider that cannot search, for a given reason. */
export function unusableProvider(name: string, reason: string): SearchProvider {
  const refusal = notConfigured(reason);
  return { name, refusal, search: () => Promise.reject(refusal) };
}

function notConfigured(message: string): ToolError {
  return new ToolError("SEARCH_NOT_CONFIGURED", message, {
    hint: 'The host sets one: web.search {"provider": "searxng", "url": "https://…"} or {"provider": "brave"} with its key in HAFT_SEARCH_API_KEY. Until then use [[web_fetch]] with an address you know.',
  });
}

import { type NetworkClient, ToolError, token } from "@haft/core";

/** Finds pages. What it returns is cleaned, limited and marked by the tool. */
export interface SearchProvider {
  readonly name: string;
  search(query: SearchQuery, reach: SearchReach): Promise<readonly SearchHit[]>;
}

export interface SearchQuery {
  readonly query: string;
  readonly count: number;
}

/** A request with `endpoint: "search"` reaches the address the host configured for it, and no other. */
export interface SearchReach {
  readonly network: NetworkClient;
  readonly signal: AbortSignal;
}

export interface SearchHit {
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
}

/** A host registers its own provider here; otherwise the configuration's is used. */
export const SEARCH_PROVIDER = token<SearchProvider>("search-provider", () => NO_PROVIDER);

export const NO_PROVIDER: SearchProvider = {
  name: "none",
  search: () => Promise.reject(notConfigured("No search provider is configured")),
};

export function notConfigured(message: string): ToolError {
  return new ToolError("SEARCH_NOT_CONFIGURED", message, {
    hint: 'The host sets one: web.search {"provider": "searxng", "url": "https://…"} or {"provider": "brave"} with its key in HAFT_SEARCH_API_KEY. Until then use web_fetch with an address you know.',
  });
}

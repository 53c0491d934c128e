// Any export added here becomes public API: named exports only. Importing this package registers both tools.
export { WEB_CONFIG, type WebSearchConfig, type WebToolsConfig } from "./web-config.js";
export type { WebFetchArgs, WebFetchResult } from "./web-fetch/web-fetch-schema.js";
export { WebFetch } from "./web-fetch/web-fetch-tool.js";
export { braveProvider } from "./web-search/brave-provider.js";
export {
  SEARCH_PROVIDER,
  type SearchHit,
  type SearchProvider,
  type SearchQuery,
  type SearchReach,
} from "./web-search/search-provider.js";
export { searxngProvider } from "./web-search/searxng-provider.js";
export type { WebSearchArgs, WebSearchResult } from "./web-search/web-search-schema.js";
export { WebSearch } from "./web-search/web-search-tool.js";

import { nearestNames } from "@haft/text";
import type { WebToolsConfig } from "../web-config.js";
import { braveProvider } from "./brave-provider.js";
import { NO_PROVIDER, notConfigured, type SearchProvider } from "./search-provider.js";
import { searxngProvider } from "./searxng-provider.js";

/** The provider a configuration names. One that cannot work says why when it is used, not before. */
export function configuredProvider({ search }: WebToolsConfig): SearchProvider {
  if (search === undefined) return NO_PROVIDER;
  const { provider, url } = search;
  if (provider === "brave") return braveProvider(search);
  if (provider !== "searxng") return failing(provider, unknownName(provider));
  return url === undefined ? failing(provider, "SearXNG needs web.search.url") : searxngProvider({ url });
}

function failing(name: string, message: string): SearchProvider {
  return { name, search: () => Promise.reject(notConfigured(message)) };
}

function unknownName(provider: string): string {
  const [nearest] = nearestNames(provider, ["searxng", "brave"], 1);
  const advice = nearest === undefined ? "known are searxng and brave" : `did you mean ${nearest}?`;
  return `${JSON.stringify(provider.slice(0, 60))} is not a search provider; ${advice}`;
}

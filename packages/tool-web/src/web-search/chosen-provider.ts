import { nearestNames } from "@haft/text";
import type { WebToolsConfig } from "../web-config.js";
import { braveProvider } from "./brave-provider.js";
import { NO_PROVIDER, type SearchProvider, unusableProvider } from "./search-provider.js";
import { searxngProvider } from "./searxng-provider.js";

/** Returns the provider that the host registered, or the configured one. An unusable one carries the reason. */
export function chosenProvider(registered: SearchProvider, { search }: WebToolsConfig): SearchProvider {
  if (registered !== NO_PROVIDER || search === undefined) return registered;
  const { provider, url } = search;
  if (provider === "brave") return braveProvider(search);
  if (provider !== "searxng") return unusableProvider(provider, unknownName(provider));
  return url === undefined
    ? unusableProvider(provider, "SearXNG needs web.search.url")
    : searxngProvider({ url });
}

function unknownName(provider: string): string {
  const [nearest] = nearestNames(provider, ["searxng", "brave"], 1);
  const advice = nearest === undefined ? "use searxng or brave" : `did you mean ${nearest}?`;
  return `${JSON.stringify(provider.slice(0, 60))} is not a search provider; ${advice}`;
}

import { askService, listIn, textOf } from "./ask-service.js";
import type { SearchProvider } from "./search-provider.js";

/** A SearXNG instance, which must have the `json` format enabled. */
export function searxngProvider(options: { readonly url: string }): SearchProvider {
  return {
    name: "searxng",
    search: async ({ query }, reach) => {
      const url = new URL(options.url);
      url.pathname = `${url.pathname.replace(/\/+$/, "").replace(/\/search$/, "")}/search`;
      url.searchParams.set("q", query);
      url.searchParams.set("format", "json");
      const answer = await askService({ provider: "SearXNG", url, advice: ADVICE }, reach);
      return listIn(answer, "results").map((result) => ({
        title: textOf(result.title),
        url: textOf(result.url),
        snippet: textOf(result.content),
      }));
    },
  };
}

const ADVICE = new Map([
  [403, "The host must add json to search.formats in the settings.yml of SearXNG."],
  [404, "web.search.url must be the address of a SearXNG instance."],
]);

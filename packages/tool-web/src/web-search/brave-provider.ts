import { askService, listIn, textOf } from "./ask-service.js";
import { notConfigured, type SearchProvider } from "./search-provider.js";

/** The web search of Brave, which needs a key. */
export function braveProvider(options: { readonly apiKey?: string; readonly url?: string }): SearchProvider {
  const { apiKey, url: base = "https://api.search.brave.com" } = options;
  return {
    name: "brave",
    search: async ({ query, count }, reach) => {
      if (apiKey === undefined || apiKey === "") throw notConfigured("Brave Search needs a key");
      const url = new URL("/res/v1/web/search", base);
      url.searchParams.set("q", query);
      url.searchParams.set("count", String(count));
      const headers = { "x-subscription-token": apiKey };
      const answer = await askService({ provider: "Brave Search", url, headers, advice: ADVICE }, reach);
      return listIn(answer, "web", "results").map((result) => ({
        title: textOf(result.title),
        url: textOf(result.url),
        snippet: textOf(result.description),
      }));
    },
  };
}

const WRONG_KEY = "The key is not accepted: the host must correct it.";
const ADVICE = new Map([
  [401, WRONG_KEY],
  [403, WRONG_KEY],
  [422, `${WRONG_KEY} Or the query is too long: Brave takes 400 characters and 50 words.`],
]);

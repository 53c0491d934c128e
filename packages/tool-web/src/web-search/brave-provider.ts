import { askService, listIn, textOf } from "./ask-service.js";
import { type SearchProvider, unusableProvider } from "./search-provider.js";

/** Brave's web search, which requires a key. */
export function braveProvider(options: { readonly apiKey?: string; readonly url?: string }): SearchProvider {
  const { apiKey, url: base = "https://api.search.brave.com" } = options;
  if (apiKey === undefined || apiKey === "") return unusableProvider("brave", "Brave Search requires a key");
  return {
    name: "brave",
    search: async ({ query, count }, reach) => {
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

const WRONG_KEY = "The key was rejected; the host must correct it.";
const ADVICE = new Map([
  [401, WRONG_KEY],
  [403, WRONG_KEY],
  [422, `${WRONG_KEY} Or the query is too long: Brave accepts 400 characters and 50 words.`],
]);

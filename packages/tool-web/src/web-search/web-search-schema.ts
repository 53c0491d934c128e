import { type Parsed, s } from "@haft/core";

export const webSearchInput = s.object({
  query: s.string("Search terms", { minLength: 1, maxLength: 2000 }),
  num_results: s.integer("How many results, at most 20", { default: 5, minimum: 1 }),
});

export const webSearchOutput = s.object({
  results: s.array(
    "Best first",
    s.object({
      title: s.string("The title of the page"),
      url: s.string("Its address"),
      snippet: s.string("Excerpt that matches the query"),
    }),
  ),
});

export type WebSearchArgs = Parsed<typeof webSearchInput>;
export type WebSearchResult = Parsed<typeof webSearchOutput>;

import { type LineSpan, lineSpans } from "@haft/text";
import { type LineFeedView, lineFeedView } from "../text/line-feed-view.js";
import { foldPunctuation } from "./fold-punctuation.js";

/** A text that is looked through several times; what a search needs of it is worked out once, when needed. */
export interface SearchedText {
  readonly text: string;
  view(): LineFeedView;
  /** The lines of the view. */
  lines(): SearchedLines;
  /** The view with plain punctuation, offset by offset. */
  folded(): string;
}

export interface SearchedLines {
  readonly spans: readonly LineSpan[];
  readonly texts: readonly string[];
}

export function searchedText(text: string): SearchedText {
  const view = once(() => lineFeedView(text));
  return {
    text,
    view,
    lines: once(() => {
      const shown = view().text;
      const spans = lineSpans(shown);
      return { spans, texts: spans.map(({ start, end }) => shown.slice(start, end)) };
    }),
    folded: once(() => foldPunctuation(view().text)),
  };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

import type { Pace } from "@haft/core/workspace";
import { type LineSpan, lineSpans } from "@haft/text";
import { type LineFeedView, lineFeedView } from "../text/line-feed-view.js";
import { foldLongText } from "./fold-punctuation.js";

/** A text searched several times. Derived data is computed once, on demand. */
export interface SearchedText {
  readonly text: string;
  view(): LineFeedView;
  /** The lines of the view. */
  lines(): SearchedLines;
  /** The view with plain punctuation, offset by offset. */
  folded(pace: Pace): Promise<string>;
}

interface SearchedLines {
  readonly spans: readonly LineSpan[];
  readonly texts: readonly string[];
}

export function searchedText(text: string): SearchedText {
  const view = once(() => lineFeedView(text));
  let folded: Promise<string> | undefined;
  return {
    text,
    view,
    lines: once(() => {
      const shown = view().text;
      const spans = lineSpans(shown);
      return { spans, texts: spans.map(({ start, end }) => shown.slice(start, end)) };
    }),
    folded: (pace) => {
      folded ??= foldLongText(view().text, pace);
      return folded;
    },
  };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

import { MAX_MATCHES } from "../text/match-limit.js";
import { occurrences } from "../text/occurrences.js";
import type { SearchPace } from "../text/search-pace.js";
import { ignoringIndent, ignoringTrailingSpace, type LineMatch } from "./find-lines.js";
import { foldPunctuation } from "./fold-punctuation.js";
import type { SearchedText } from "./searched-text.js";

/** A stretch of the original text. */
export interface Span {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

export interface Found {
  /** In order. One more than MAX_MATCHES when there are more than that: the search ends there. */
  readonly spans: readonly (Span & { readonly replacement: string })[];
  /** Told to the model when the match was not exact. */
  readonly ignoring?: string;
}

/**
 * Looks for a text on a ladder from exact to forgiving and stops at the first rung that finds
 * anything. A rung only decides where to cut; what is cut is the original, so nothing outside the
 * span changes. There is no rung that guesses.
 */
export async function findSpan(
  searched: SearchedText,
  { wanted, replacement }: { readonly wanted: string; readonly replacement: string },
  pace: SearchPace,
): Promise<Found> {
  const exact = occurrences(searched.text, wanted, MAX_MATCHES + 1);
  if (exact.length > 0)
    return { spans: exact.map((start) => ({ start, end: start + wanted.length, replacement })) };
  const { toOriginal } = searched.view();
  const sought = wanted.replaceAll("\r\n", "\n");
  const inserted = replacement.replaceAll("\r\n", "\n");
  for (const rung of RUNGS) {
    await pace.breathe();
    const found = await rung.find(searched, sought, pace);
    const spans = found.flatMap((match) => {
      const adapted = match.adapt(inserted);
      return adapted === undefined
        ? []
        : [{ start: toOriginal(match.start), end: toOriginal(match.end), replacement: adapted }];
    });
    if (spans.length > 0)
      return { spans, ...(rung.ignoring === undefined ? {} : { ignoring: rung.ignoring }) };
  }
  return { spans: [] };
}

interface Rung {
  readonly ignoring?: string;
  find(
    searched: SearchedText,
    wanted: string,
    pace: SearchPace,
  ): readonly LineMatch[] | Promise<readonly LineMatch[]>;
}

const RUNGS: readonly Rung[] = [
  { find: (searched, wanted) => literal(searched.view().text, wanted) },
  { ignoring: "line numbers copied from a listing", find: withoutLineNumbers },
  { ignoring: "trailing white space", find: ignoringTrailingSpace },
  { ignoring: "indentation", find: ignoringIndent },
  {
    ignoring: "typographic punctuation",
    find: (searched, wanted) => literal(searched.folded(), foldPunctuation(wanted)),
  },
];

function literal(text: string, wanted: string): readonly LineMatch[] {
  return occurrences(text, wanted, MAX_MATCHES + 1).map((start) => ({
    start,
    end: start + wanted.length,
    adapt: (replacement) => replacement,
  }));
}

/** A model that copied `12: code` from our own listing meant the code; only a unique hit counts. */
function withoutLineNumbers(searched: SearchedText, wanted: string): readonly LineMatch[] {
  const stripped = stripLineNumbers(wanted);
  if (stripped === undefined) return [];
  const found = literal(searched.view().text, stripped);
  if (found.length !== 1) return [];
  return found.map((match) => ({
    ...match,
    adapt: (replacement) => stripLineNumbers(replacement) ?? replacement,
  }));
}

const NUMBERED = /^\s*\d+(?:: |→| \| |\t)/;

function stripLineNumbers(text: string): string | undefined {
  const lines = text.split("\n");
  const numbered = lines.filter((line, index) => line !== "" || index < lines.length - 1);
  if (numbered.length === 0 || !numbered.every((line) => NUMBERED.test(line) || /^\s*\d+:$/.test(line)))
    return undefined;
  return lines.map((line) => line.replace(NUMBERED, "").replace(/^\s*\d+:$/, "")).join("\n");
}

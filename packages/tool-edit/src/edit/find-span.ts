import type { Pace } from "@haft/core/workspace";
import { MAX_MATCHES } from "../text/match-limit.js";
import { occurrences } from "../text/occurrences.js";
import { ignoringIndent, ignoringTrailingSpace, type LineMatch } from "./find-lines.js";
import { foldPunctuation } from "./fold-punctuation.js";
import type { SearchedText } from "./searched-text.js";

/** A range of the original text. */
export interface Span {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

export interface Found {
  /** In order. MAX_MATCHES + 1 entries mean that the search stopped early. */
  readonly spans: readonly (Span & { readonly replacement: string })[];
  /** Reported to the model if the match was not exact. */
  readonly ignoring?: string;
}

/**
 * Searches from exact to lenient and stops at the first strategy with a match. Strategies only decide where to cut;
 * nothing outside the span changes. None of them guesses.
 */
export async function findSpan(
  searched: SearchedText,
  { wanted, replacement }: { readonly wanted: string; readonly replacement: string },
  pace: Pace,
): Promise<Found> {
  const exact = await occurrences(searched.text, wanted, { max: MAX_MATCHES + 1, pace });
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
  find(searched: SearchedText, wanted: string, pace: Pace): Promise<readonly LineMatch[]>;
}

const RUNGS: readonly Rung[] = [
  { find: (searched, wanted, pace) => literal(searched.view().text, wanted, pace) },
  { ignoring: "line numbers copied from a listing", find: withoutLineNumbers },
  { ignoring: "trailing white space", find: ignoringTrailingSpace },
  { ignoring: "indentation", find: ignoringIndent },
  {
    ignoring: "typographic punctuation",
    find: async (searched, wanted, pace) =>
      literal(await searched.folded(pace), foldPunctuation(wanted), pace),
  },
];

async function literal(text: string, wanted: string, pace: Pace): Promise<readonly LineMatch[]> {
  return (await occurrences(text, wanted, { max: MAX_MATCHES + 1, pace })).map((start) => ({
    start,
    end: start + wanted.length,
    adapt: (replacement) => replacement,
  }));
}

/** A model that copied `12: code` from our listing meant the code. Only a unique match counts. */
async function withoutLineNumbers(
  searched: SearchedText,
  wanted: string,
  pace: Pace,
): Promise<readonly LineMatch[]> {
  const stripped = stripLineNumbers(wanted);
  if (stripped === undefined) return [];
  const found = await literal(searched.view().text, stripped, pace);
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

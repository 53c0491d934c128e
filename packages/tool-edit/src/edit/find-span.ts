import { findAll } from "@haft/text";
import { lineFeedView } from "../text/line-feed-view.js";
import { ignoringIndent, ignoringTrailingSpace, type LineMatch } from "./find-lines.js";
import { foldPunctuation } from "./fold-punctuation.js";

/** A stretch of the original text. */
export interface Span {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

export interface Found {
  readonly spans: readonly (Span & { readonly replacement: string })[];
  /** Told to the model when the match was not exact. */
  readonly ignoring?: string;
}

/**
 * Looks for a text on a ladder from exact to forgiving and stops at the first rung that finds
 * anything. A rung only decides where to cut; what is cut is the original, so nothing outside the
 * span changes. There is no rung that guesses.
 */
export function findSpan(text: string, wanted: string, replacement: string): Found {
  const exact = findAll(text, wanted);
  if (exact.length > 0)
    return { spans: exact.map((start) => ({ start, end: start + wanted.length, replacement })) };
  const view = lineFeedView(text);
  const sought = wanted.replaceAll("\r\n", "\n");
  const inserted = replacement.replaceAll("\r\n", "\n");
  for (const rung of RUNGS) {
    const found = rung.find(view.text, sought);
    const spans = found.flatMap((match) => {
      const adapted = match.adapt(inserted);
      return adapted === undefined
        ? []
        : [{ start: view.toOriginal(match.start), end: view.toOriginal(match.end), replacement: adapted }];
    });
    if (spans.length > 0)
      return { spans, ...(rung.ignoring === undefined ? {} : { ignoring: rung.ignoring }) };
  }
  return { spans: [] };
}

interface Rung {
  readonly ignoring?: string;
  find(text: string, wanted: string): readonly LineMatch[];
}

const RUNGS: readonly Rung[] = [
  { find: literal },
  { ignoring: "line numbers copied from a listing", find: withoutLineNumbers },
  { ignoring: "trailing white space", find: ignoringTrailingSpace },
  { ignoring: "indentation", find: ignoringIndent },
  {
    ignoring: "typographic punctuation",
    find: (text, wanted) => literal(foldPunctuation(text), foldPunctuation(wanted)),
  },
];

function literal(text: string, wanted: string): readonly LineMatch[] {
  return findAll(text, wanted).map((start) => ({
    start,
    end: start + wanted.length,
    adapt: (replacement) => replacement,
  }));
}

/** A model that copied `12: code` from our own listing meant the code; only a unique hit counts. */
function withoutLineNumbers(text: string, wanted: string): readonly LineMatch[] {
  const stripped = stripLineNumbers(wanted);
  if (stripped === undefined) return [];
  const found = literal(text, stripped);
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

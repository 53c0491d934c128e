import type { Pace } from "@haft/core/workspace";
import { countLines, type LineSpan, lineSpans } from "@haft/text";
import { visitRuns } from "../text/line-runs.js";
import { MAX_MATCHES } from "../text/match-limit.js";
import type { Span } from "./find-span.js";
import type { SearchedText } from "./searched-text.js";

/** A range of whole lines that matches, and how to fit a replacement there. */
export interface LineMatch extends Span {
  /** Fits the replacement to the place. Undefined if that is impossible. */
  adapt(replacement: string): string | undefined;
}

/** Finds whole lines, ignoring trailing white space. */
export function ignoringTrailingSpace(
  searched: SearchedText,
  wanted: string,
  pace: Pace,
): Promise<readonly LineMatch[]> {
  return windows(
    { searched, wanted, pace, keyOf: (line) => line.trimEnd() },
    () => (replacement) => replacement,
  );
}

/** Finds whole lines that are all indented by the same amount more or less. */
export function ignoringIndent(
  searched: SearchedText,
  wanted: string,
  pace: Pace,
): Promise<readonly LineMatch[]> {
  return windows({ searched, wanted, pace, keyOf: (line) => line.trimStart() }, shiftBetween);
}

type Adapt = LineMatch["adapt"];

/** The line of a window by its index. */
type LineOf = (index: number) => string;

interface WindowSearch {
  readonly searched: SearchedText;
  readonly wanted: string;
  readonly pace: Pace;
  /** Returns the part of a line that must match for a candidate. */
  keyOf(line: string): string;
}

async function windows(
  { searched, wanted, pace, keyOf }: WindowSearch,
  match: (foundAt: LineOf, sought: readonly string[]) => Adapt | undefined,
): Promise<readonly LineMatch[]> {
  const soughtSpans = lineSpans(wanted);
  const sought = soughtSpans.map((span) => wanted.slice(span.start, span.end));
  if (sought.length === 0 || sought.every((line) => line.trim() === "")) return [];
  if (countLines(searched.view().text) > MAX_LINES) return [];
  const { spans, texts } = searched.lines();
  const size = { count: sought.length, endsWithLine: soughtSpans.at(-1)?.ending !== "" };
  const matches: LineMatch[] = [];
  let compared = 0;
  const visit = (first: number): boolean => {
    const adapt = match((index) => texts[first + index] ?? "", sought);
    if (match === shiftBetween) compared += sought.length;
    if (adapt !== undefined) matches.push({ ...spanOf(spans, first, size), adapt });
    return matches.length > MAX_MATCHES || compared > MAX_COMPARED_LINES;
  };
  const lines = { length: texts.length, keyAt: (index: number) => keyOf(texts[index] ?? "") };
  await visitRuns(lines, sought.map(keyOf), { from: 0, pace, visit });
  // After this many near misses it is unknown whether there is only one place.
  return compared > MAX_COMPARED_LINES ? [] : matches;
}

const MAX_LINES = 500_000;
const MAX_COMPARED_LINES = 2_000_000;

function spanOf(
  spans: readonly LineSpan[],
  first: number,
  { count, endsWithLine }: { count: number; endsWithLine: boolean },
): Span {
  const last = spans[first + count - 1];
  const end = (last?.end ?? 0) + (endsWithLine ? (last?.ending.length ?? 0) : 0);
  return { start: spans[first]?.start ?? 0, end };
}

/** Returns the shift that turns the sought lines into the found ones, as a function for the replacement. */
function shiftBetween(foundAt: LineOf, sought: readonly string[]): Adapt | undefined {
  const first = sought.findIndex((line) => line.trim() !== "");
  const added = prefixBetween(foundAt(first), sought[first] ?? "");
  if (added !== undefined) {
    const isShifted = sought.every(
      (line, index) => isBlank(line, foundAt(index)) || added + line === foundAt(index),
    );
    return isShifted ? (replacement) => eachLine(replacement, (line) => added + line) : undefined;
  }
  const removed = prefixBetween(sought[first] ?? "", foundAt(first));
  if (
    removed === undefined ||
    !sought.every((line, index) => isBlank(line, foundAt(index)) || line === removed + foundAt(index))
  )
    return undefined;
  return (replacement) =>
    eachLine(replacement, (line) => (line.startsWith(removed) ? line.slice(removed.length) : undefined));
}

/** Returns the white space before `inner` in `outer`. Undefined if that is not the difference. */
function prefixBetween(outer: string, inner: string): string | undefined {
  if (outer.length <= inner.length || !outer.endsWith(inner)) return undefined;
  const prefix = outer.slice(0, outer.length - inner.length);
  return prefix.trim() === "" ? prefix : undefined;
}

function isBlank(a: string, b: string): boolean {
  return a.trim() === "" && b.trim() === "";
}

function eachLine(text: string, change: (line: string) => string | undefined): string | undefined {
  const lines = text.split("\n").map((line) => (line.trim() === "" ? line : change(line)));
  return lines.includes(undefined) ? undefined : lines.join("\n");
}

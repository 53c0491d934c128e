import { type LineSpan, lineSpans } from "@haft/text";
import { MAX_MATCHES } from "../text/match-limit.js";
import type { SearchPace } from "../text/search-pace.js";
import type { Span } from "./find-span.js";
import type { SearchedText } from "./searched-text.js";

/** A stretch of whole lines that matches, and what a replacement must look like there. */
export interface LineMatch extends Span {
  /** Fits the replacement to the place, or undefined when it cannot. */
  adapt(replacement: string): string | undefined;
}

/** Where whole lines match when white space at their ends is not looked at. */
export function ignoringTrailingSpace(
  searched: SearchedText,
  wanted: string,
  pace: SearchPace,
): Promise<readonly LineMatch[]> {
  return windows({ searched, wanted, pace }, (foundAt, sought) => {
    const isMatch = sought.every((line, index) => line.trimEnd() === foundAt(index).trimEnd());
    return isMatch ? (replacement) => replacement : undefined;
  });
}

/** Where whole lines match when all of them are indented by the same more, or the same less. */
export function ignoringIndent(
  searched: SearchedText,
  wanted: string,
  pace: SearchPace,
): Promise<readonly LineMatch[]> {
  return windows({ searched, wanted, pace }, shiftBetween);
}

type Adapt = LineMatch["adapt"];

/** The line of a window by its index. */
type LineOf = (index: number) => string;

async function windows(
  { searched, wanted, pace }: { searched: SearchedText; wanted: string; pace: SearchPace },
  match: (foundAt: LineOf, sought: readonly string[]) => Adapt | undefined,
): Promise<readonly LineMatch[]> {
  const soughtSpans = lineSpans(wanted);
  const sought = soughtSpans.map((span) => wanted.slice(span.start, span.end));
  if (sought.length === 0 || sought.every((line) => line.trim() === "")) return [];
  const { spans, texts } = searched.lines();
  const size = { count: sought.length, endsWithLine: soughtSpans.at(-1)?.ending !== "" };
  const firstSought = sought[0]?.trim();
  const matches: LineMatch[] = [];
  for (let first = 0; first + sought.length <= texts.length; first += 1) {
    if (texts[first]?.trim() !== firstSought) continue;
    await pace.breathe();
    const adapt = match((index) => texts[first + index] ?? "", sought);
    if (adapt === undefined) continue;
    matches.push({ ...spanOf(spans, first, size), adapt });
    if (matches.length > MAX_MATCHES) break;
  }
  return matches;
}

function spanOf(
  spans: readonly LineSpan[],
  first: number,
  { count, endsWithLine }: { count: number; endsWithLine: boolean },
): Span {
  const last = spans[first + count - 1];
  const end = (last?.end ?? 0) + (endsWithLine ? (last?.ending.length ?? 0) : 0);
  return { start: spans[first]?.start ?? 0, end };
}

/** The one shift that turns the sought lines into the found ones, as a function for the replacement. */
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

/** The white space that stands before `inner` in `outer`, or undefined when that is not the difference. */
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

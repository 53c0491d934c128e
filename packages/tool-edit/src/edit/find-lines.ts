import { type LineSpan, lineSpans } from "@haft/text";
import type { Span } from "./find-span.js";

/** A stretch of whole lines that matches, and what a replacement must look like there. */
export interface LineMatch extends Span {
  /** Fits the replacement to the place, or undefined when it cannot. */
  adapt(replacement: string): string | undefined;
}

/** Where whole lines match when white space at their ends is not looked at. */
export function ignoringTrailingSpace(text: string, wanted: string): readonly LineMatch[] {
  return windows(text, wanted, (found, sought) => {
    const isMatch = sought.every((line, index) => line.trimEnd() === found[index]?.trimEnd());
    return isMatch ? (replacement) => replacement : undefined;
  });
}

/** Where whole lines match when all of them are indented by the same more, or the same less. */
export function ignoringIndent(text: string, wanted: string): readonly LineMatch[] {
  return windows(text, wanted, (found, sought) => shiftBetween(found, sought));
}

type Adapt = LineMatch["adapt"];

function windows(
  text: string,
  wanted: string,
  match: (found: readonly string[], sought: readonly string[]) => Adapt | undefined,
): readonly LineMatch[] {
  const spans = lineSpans(text);
  const soughtSpans = lineSpans(wanted);
  const sought = soughtSpans.map((span) => wanted.slice(span.start, span.end));
  if (sought.length === 0 || sought.every((line) => line.trim() === "")) return [];
  const endsWithLine = soughtSpans.at(-1)?.ending !== "";
  const lines = spans.map((span) => text.slice(span.start, span.end));
  const matches: LineMatch[] = [];
  for (let first = 0; first + sought.length <= lines.length; first += 1) {
    if (lines[first]?.trim() !== sought[0]?.trim()) continue;
    const adapt = match(lines.slice(first, first + sought.length), sought);
    if (adapt !== undefined)
      matches.push({ ...spanOf(spans, first, { count: sought.length, endsWithLine }), adapt });
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
function shiftBetween(found: readonly string[], sought: readonly string[]): Adapt | undefined {
  const first = sought.findIndex((line) => line.trim() !== "");
  const added = prefixBetween(found[first] ?? "", sought[first] ?? "");
  if (added !== undefined) {
    const isShifted = sought.every(
      (line, index) => isBlank(line, found[index]) || added + line === found[index],
    );
    return isShifted ? (replacement) => eachLine(replacement, (line) => added + line) : undefined;
  }
  const removed = prefixBetween(sought[first] ?? "", found[first] ?? "");
  if (
    removed === undefined ||
    !sought.every((line, index) => isBlank(line, found[index]) || line === removed + found[index])
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

function isBlank(a: string, b: string | undefined): boolean {
  return a.trim() === "" && b?.trim() === "";
}

function eachLine(text: string, change: (line: string) => string | undefined): string | undefined {
  const lines = text.split("\n").map((line) => (line.trim() === "" ? line : change(line)));
  return lines.includes(undefined) ? undefined : lines.join("\n");
}

import { type CharRanges, rangesContain as contains, mergeRanges } from "./char-ranges.js";
import type { RegexFlags } from "./regex-flags.js";
import { CASE_ORBITS } from "./unicode-tables.js";

/**
 * Returns the ranges of a class under its flags. A negated class folds case before negating: `(?i)\P{Lu}` has no
 * case.
 */
export function foldIfAsked(
  ranges: CharRanges,
  { ignoreCase, unicode }: Pick<RegexFlags, "ignoreCase" | "unicode">,
): CharRanges {
  if (!ignoreCase) return ranges;
  return unicode ? foldCase(ranges) : foldAscii(ranges);
}

/** Adds every character that differs only by case (simple folding, as in `(?i)` of Rust and RE2). */
export function foldCase(ranges: CharRanges): number[] {
  if (onlyAsciiWithoutOddOrbits(ranges)) return foldAscii(ranges);
  const added: number[] = [];
  for (const orbit of caseOrbits()) {
    if (!orbit.some((point) => contains(ranges, point))) continue;
    for (const point of orbit) if (!contains(ranges, point)) added.push(point, point);
  }
  return added.length === 0 ? [...ranges] : mergeRanges([...ranges, ...added]);
}

/** The same for a set of bytes, where only ASCII letters have case. */
function foldAscii(ranges: CharRanges): number[] {
  const folded = [...ranges];
  for (let upper = 0x41; upper <= 0x5a; upper++) {
    const lower = upper + 0x20;
    if (contains(ranges, upper)) folded.push(lower, lower);
    if (contains(ranges, lower)) folded.push(upper, upper);
  }
  return mergeRanges(folded);
}

// `k` and `s` have partners outside ASCII (the Kelvin sign and the long s); all other letters stay inside.
function onlyAsciiWithoutOddOrbits(ranges: CharRanges): boolean {
  if ((ranges.at(-1) ?? 0) >= 0x80) return false;
  return ![0x4b, 0x6b, 0x53, 0x73].some((point) => contains(ranges, point));
}

const known: { orbits?: number[][] } = {};

function caseOrbits(): number[][] {
  known.orbits ??= CASE_ORBITS.split(" ").map((orbit) =>
    Array.from(orbit, (char) => char.codePointAt(0) as number),
  );
  return known.orbits;
}

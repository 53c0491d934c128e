import { type CharRanges, mergeRanges } from "./char-ranges.js";
import type { RegexFlags } from "./regex-flags.js";
import { CASE_ORBITS } from "./unicode-tables.js";

/** What a class stands for under its flags. Of a negated one, what it negates is folded: `(?i)\P{Lu}` has no case. */
export function foldIfAsked(
  ranges: CharRanges,
  { ignoreCase, unicode }: Pick<RegexFlags, "ignoreCase" | "unicode">,
): CharRanges {
  if (!ignoreCase) return ranges;
  return unicode ? foldCase(ranges) : foldAscii(ranges);
}

/** Adds every character that differs only by case (simple folding, as Rust's and RE2's `(?i)`). */
export function foldCase(ranges: CharRanges): number[] {
  if (onlyAsciiWithoutOddOrbits(ranges)) return foldAscii(ranges);
  const folded = [...ranges];
  for (const orbit of caseOrbits()) {
    if (!orbit.some((point) => contains(ranges, point))) continue;
    for (const point of orbit) folded.push(point, point);
  }
  return mergeRanges(folded);
}

/** The same for a set of bytes, where only ASCII letters have a case. */
export function foldAscii(ranges: CharRanges): number[] {
  const folded = [...ranges];
  for (let upper = 0x41; upper <= 0x5a; upper++) {
    const lower = upper + 0x20;
    if (contains(ranges, upper)) folded.push(lower, lower);
    if (contains(ranges, lower)) folded.push(upper, upper);
  }
  return mergeRanges(folded);
}

// `k` and `s` have partners outside ASCII (the Kelvin sign and the long s); everything else stays inside.
function onlyAsciiWithoutOddOrbits(ranges: CharRanges): boolean {
  if ((ranges.at(-1) ?? 0) >= 0x80) return false;
  return ![0x4b, 0x6b, 0x53, 0x73].some((point) => contains(ranges, point));
}

function caseOrbits(): number[][] {
  return CASE_ORBITS.split(" ").map((orbit) => Array.from(orbit, (char) => char.codePointAt(0) as number));
}

function contains(ranges: CharRanges, point: number): boolean {
  for (let index = 0; index < ranges.length; index += 2) {
    if (point < (ranges[index] as number)) return false;
    if (point <= (ranges[index + 1] as number)) return true;
  }
  return false;
}

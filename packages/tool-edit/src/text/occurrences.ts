import type { Pace } from "@haft/core/workspace";

/**
 * Returns the non-overlapping positions of `wanted`, up to `max`. Linear in both: the built-in search is faster, but
 * may compare all of `wanted` at each position, so it is abandoned where it is slow.
 */
export async function occurrences(
  text: string,
  wanted: string,
  { max, pace }: { readonly max: number; readonly pace: Pace },
): Promise<readonly number[]> {
  const starts: number[] = [];
  if (wanted === "") return starts;
  const reach = Math.floor(MAX_COMPARED / wanted.length) + wanted.length;
  let isSlow = wanted.length > MAX_BUILT_IN;
  let at = 0;
  while (!isSlow && starts.length < max && at + wanted.length <= text.length) {
    const began = performance.now();
    const isRest = text.length - at <= reach;
    const found = isRest ? text.indexOf(wanted, at) : text.slice(at, at + reach).indexOf(wanted);
    if (found !== -1) {
      const start = isRest ? found : at + found;
      starts.push(start);
      at = start + wanted.length;
    } else if (isRest) return starts;
    else at += reach - wanted.length + 1;
    isSlow = performance.now() - began > MAX_WINDOW_MS;
    await pace.breathe();
  }
  return isSlow ? linearly(text, wanted, { starts, at, max, pace }) : starts;
}

// About 10 ms, in which the built-in search usually scans megabytes.
const MAX_COMPARED = 20_000_000;
const MAX_WINDOW_MS = 5;
const MAX_BUILT_IN = 5_000;

interface Progress {
  readonly starts: number[];
  readonly at: number;
  readonly max: number;
  readonly pace: Pace;
}

/** Knuth-Morris-Pratt: compares each character at most twice. */
async function linearly(
  text: string,
  wanted: string,
  { starts, at, max, pace }: Progress,
): Promise<number[]> {
  const borders = await bordersOf(
    wanted.length,
    (a, b) => wanted.charCodeAt(a) === wanted.charCodeAt(b),
    pace,
  );
  let matched = 0;
  for (let index = at; index < text.length && starts.length < max; index += 1) {
    const code = text.charCodeAt(index);
    while (matched > 0 && code !== wanted.charCodeAt(matched)) matched = borders[matched - 1] ?? 0;
    if (code === wanted.charCodeAt(matched)) matched += 1;
    if (matched === wanted.length) {
      starts.push(index - matched + 1);
      matched = 0;
    }
    if (index % 65_536 === 0) await pace.breathe();
  }
  return starts;
}

/** For each prefix of a sequence, returns the length of its longest proper prefix that is also a suffix. */
export async function bordersOf(
  length: number,
  areSame: (a: number, b: number) => boolean,
  pace: Pace,
): Promise<Int32Array> {
  const borders = new Int32Array(length);
  let border = 0;
  for (let index = 1; index < length; index += 1) {
    while (border > 0 && !areSame(index, border)) border = borders[border - 1] ?? 0;
    if (areSame(index, border)) border += 1;
    borders[index] = border;
    if (index % 65_536 === 0) await pace.breathe();
  }
  return borders;
}

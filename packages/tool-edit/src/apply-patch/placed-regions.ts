import { type HunkLine, isNewLine, isOldLine } from "./patch.js";

/** Adjacent lines of the original that a hunk has taken. */
interface Region {
  readonly from: number;
  readonly end: number;
  /** The hunk, and what later hunks insert between its new lines. */
  readonly lines: readonly HunkLine[];
}

interface PlacedRegion extends Region {
  readonly added: number;
  shift: number;
}

/**
 * The lines that hunks have already taken, as lines of the original. Hunks name lines as the previous hunks left them,
 * so positions are translated between the two.
 */
export class PlacedRegions {
  /** Ordered by position, with the cumulative shift of all regions before each. */
  readonly #regions: PlacedRegion[] = [];
  #shift = 0;

  /** The number of lines the file has grown by. */
  get shift(): number {
    return this.#shift;
  }

  get all(): readonly Region[] {
    return this.#regions;
  }

  /** Takes the old lines of a hunk, which start at a line of the original. */
  add(from: number, lines: readonly HunkLine[]): void {
    const end = from + lines.filter(isOldLine).length;
    this.#put(this.#indexAfter(from), 0, { from, end, lines, added: lines.filter(isNewLine).length });
  }

  /** Inserts new lines at a current position, which may be between the new lines of an earlier hunk. */
  insert(position: number, lines: readonly HunkLine[]): void {
    const index = this.#count(({ from, shift, added }) => from + shift + added <= position);
    const next = this.#regions[index];
    const start = next === undefined ? position : next.from + next.shift;
    if (next !== undefined && start < position) {
      const at = afterNewLines(next.lines, position - start);
      const merged = [...next.lines.slice(0, at), ...lines, ...next.lines.slice(at)];
      this.#put(index, 1, { ...next, lines: merged, added: next.added + lines.length });
    } else {
      const from = originalBehind(this.#regions[index - 1], position);
      this.#put(index, 0, { from, end: from, lines, added: lines.length });
    }
  }

  #put(index: number, replaced: number, region: Omit<PlacedRegion, "shift">): void {
    this.#regions.splice(index, replaced, { ...region, shift: 0 });
    const last = this.#regions[index - 1];
    let shift = last === undefined ? 0 : last.shift + growth(last);
    for (let at = index; at < this.#regions.length; at += 1) {
      const each = this.#regions[at] as PlacedRegion;
      each.shift = shift;
      shift += growth(each);
    }
    this.#shift = shift;
  }

  /** The current position of a line of the original. */
  toCurrent(line: number): number {
    const before = this.#regions[this.#indexAfter(line) - 1];
    return before === undefined ? line : line + before.shift + growth(before);
  }

  /** Returns the original line at a current position; for added lines, the line after the region. */
  toOriginal(position: number): number {
    const before = this.#count(({ from, shift }) => from + shift <= position);
    return originalBehind(this.#regions[before - 1], position);
  }

  /** Returns whether any of these lines is taken, or something was inserted between them. */
  overlaps(from: number, end: number): boolean {
    const next = this.#regions[this.#indexAfter(from)];
    return next !== undefined && next.from < end;
  }

  /** How many regions end at or before a line. */
  #indexAfter(line: number): number {
    return this.#count(({ end }) => end <= line);
  }

  /** How many regions, from the first, are before some place. */
  #count(isBefore: (region: PlacedRegion) => boolean): number {
    let [low, high] = [0, this.#regions.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBefore(this.#regions[middle] as PlacedRegion)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** The original line at a current position below a region. */
function originalBehind(region: PlacedRegion | undefined, position: number): number {
  if (region === undefined) return position;
  return Math.max(region.end, position - region.shift - growth(region));
}

/** The index behind a number of new lines. */
function afterNewLines(lines: readonly HunkLine[], count: number): number {
  let left = count;
  return lines.findIndex((line) => isNewLine(line) && --left === 0) + 1;
}

function growth({ from, end, added }: { from: number; end: number; added: number }): number {
  return added - (end - from);
}

export interface ShownRange {
  /** The first rendered item, and the first one after the rendered range. */
  readonly from: number;
  readonly to: number;
  /** Pixels that the items before and after take. */
  readonly before: number;
  readonly after: number;
}

export interface Scrolled {
  readonly heights: readonly number[];
  /** How far the list was scrolled, and how much of it can be seen. */
  readonly top: number;
  readonly height: number;
  /** Keeps the end in view while items are added. */
  readonly followsEnd: boolean;
}

/** Which items a scrolled list has to draw: those in sight, and one screen to either side. */
export function rangeShown({ heights, top, height, followsEnd }: Scrolled): ShownRange {
  const total = heights.reduce((sum, each) => sum + each, 0);
  const middle = followsEnd ? Math.max(0, total - height) : top;
  const first = middle - height;
  const last = middle + 2 * height;
  let from = 0;
  let before = 0;
  while (from < heights.length && before + (heights[from] ?? 0) < first) before += heights[from++] ?? 0;
  let to = from;
  let drawn = before;
  while (to < heights.length && (drawn < last || to === from)) drawn += heights[to++] ?? 0;
  return { from, to, before, after: Math.max(0, total - drawn) };
}

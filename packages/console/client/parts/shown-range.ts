export interface ShownRange {
  /** The first rendered item, and the index after the last one. */
  readonly from: number;
  readonly to: number;
  /** The height of the items before and after, in pixels. */
  readonly before: number;
  readonly after: number;
}

export interface Scrolled {
  readonly heights: readonly number[];
  /** The scroll position, and the height of the visible area. */
  readonly top: number;
  readonly height: number;
  /** Whether to keep the end visible while items are added. */
  readonly followsEnd: boolean;
}

/** Returns the items that a scrolled list must render: the visible ones, and one screen on either side. */
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

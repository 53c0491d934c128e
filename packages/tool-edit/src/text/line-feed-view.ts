/**
 * A view of a text with every CRLF as LF, and the mapping back. Models write LF: matching uses the view, cutting the
 * original, so that line endings never interfere and are never lost.
 */
export interface LineFeedView {
  readonly text: string;
  /** The offset in the original of an offset in the view. */
  toOriginal(offset: number): number;
}

export function lineFeedView(text: string): LineFeedView {
  const removed = carriageReturns(text);
  if (removed.length === 0) return { text, toOriginal: (offset) => offset };
  return {
    text: text.replaceAll("\r\n", "\n"),
    toOriginal: (offset) => offset + countBelow(removed, offset),
  };
}

/** Returns the positions of shortened line endings in the view. */
function carriageReturns(text: string): readonly number[] {
  const positions: number[] = [];
  for (let at = text.indexOf("\r\n"); at >= 0; at = text.indexOf("\r\n", at + 2))
    positions.push(at - positions.length);
  return positions;
}

/** How many of the sorted positions are below an offset. */
function countBelow(positions: readonly number[], offset: number): number {
  let low = 0;
  let high = positions.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((positions[middle] ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

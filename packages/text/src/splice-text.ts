/** One place of a text and what stands there afterwards. */
export interface Splice {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  readonly replacement: string;
}

/** Applies splices, given in order and not overlapping; every character outside them stays as it is. */
export function spliceText(text: string, splices: readonly Splice[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, replacement } of splices) {
    parts.push(text.slice(from, start), replacement);
    from = end;
  }
  parts.push(text.slice(from));
  return parts.join("");
}

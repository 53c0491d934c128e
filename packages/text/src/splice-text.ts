/** A range of a text and its replacement. */
export interface Splice {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  readonly replacement: string;
}

/** Applies sorted, non-overlapping splices. Every character outside them stays unchanged. */
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

import type { Span } from "./nfa-search.js";
import type { TextSlice } from "./text-slice.js";

/** Steps through a text from match to match. An empty match never touches the previous match, as in RE2. */
export class MatchCursor {
  /** Start offset for the next match. */
  at: number;
  private last = -1;

  constructor(
    private readonly text: TextSlice,
    private readonly crlf: boolean,
  ) {
    this.at = text.from;
  }

  /** Moves past a match. Returns false for an empty match that does not count. */
  take({ start, end }: Span): boolean {
    const isEmpty = start === end;
    this.at = isEmpty ? this.placeAfter(end) : end;
    if (isEmpty && (end === this.last || this.isInside(end))) return false;
    this.last = end;
    return true;
  }

  /** Whether an offset lies between two bytes of one character. */
  isInside(at: number): boolean {
    const { bytes, to } = this.text;
    return at < to && ((bytes[at] as number) & 0xc0) === 0x80;
  }

  private placeAfter(at: number): number {
    const { bytes } = this.text;
    return at + (this.crlf && bytes[at] === 0x0d && bytes[at + 1] === 0x0a ? 2 : 1);
  }
}

import type { GroupSpans } from "./capture-search.js";
import type { Span } from "./nfa-search.js";
import type { TextMatch } from "./text-regex.js";

/** Converts UTF-8 byte offsets, requested from left to right, into offsets into the string they encode. */
export class UnitOffsets {
  private readonly isAscii: boolean;
  private byte = 0;
  private unit = 0;

  constructor(
    private readonly bytes: Uint8Array,
    units: number,
  ) {
    this.isAscii = bytes.length === units;
  }

  /** Converts a match and its groups, none of which begins before the previously converted match. */
  inUnits(match: Span, groups: GroupSpans): TextMatch {
    const start = this.advanceTo(match.start);
    const span = (bytes: Span): Span => ({
      start: start + this.unitsBetween(match.start, bytes.start),
      end: start + this.unitsBetween(match.start, bytes.end),
    });
    const spans = [...groups].map(([group, found]) => [group, found && span(found)] as const);
    return { start, end: this.advanceTo(match.end), groups: new Map(spans) };
  }

  private advanceTo(at: number): number {
    this.unit += this.unitsBetween(this.byte, at);
    this.byte = at;
    return this.unit;
  }

  private unitsBetween(from: number, to: number): number {
    if (this.isAscii) return to - from;
    let units = 0;
    for (let at = from; at < to; at++) {
      const byte = this.bytes[at] as number;
      // A character counts at its first byte; a supplementary character takes two units.
      if ((byte & 0xc0) !== 0x80) units += byte >= 0xf0 ? 2 : 1;
    }
    return units;
  }
}

import { PatternError } from "../pattern-error.js";
import { CaptureSearch, type GroupSpans } from "./capture-search.js";
import { compileNfa } from "./compile-nfa.js";
import { MatchCursor } from "./match-cursor.js";
import { NfaSearch, type Span } from "./nfa-search.js";
import { type ParsedRegex, parseLiteral, parseRegex } from "./parse-regex.js";
import { DEFAULT_FLAGS } from "./regex-flags.js";
import type { TextSlice } from "./text-slice.js";
import { UnitOffsets } from "./unit-offsets.js";

interface TextRegexOptions {
  readonly pattern: string;
  /** Whether every character is literal. */
  readonly literal?: boolean;
  readonly ignoreCase?: boolean;
}

/** A match as offsets into the searched string. */
export interface TextMatch extends Span {
  /** The requested groups; undefined for a group that took no part in the match. */
  readonly groups: GroupSpans;
}

/** A pattern that runs over strings and reports captures, with the language and engine of search. */
export class TextRegex {
  private readonly parsed: ParsedRegex;

  /** Throws PatternError for an invalid pattern. */
  constructor({ pattern, literal = false, ignoreCase = false }: TextRegexOptions) {
    const flags = { ...DEFAULT_FLAGS, ignoreCase };
    this.parsed = literal ? parseLiteral(pattern, flags) : parseRegex(pattern, flags, true);
  }

  /** Names of the capture groups, from group 1 on. */
  get groups(): readonly (string | undefined)[] {
    return this.parsed.groups;
  }

  /** Whether the pattern distinguishes CRLF from LF. */
  get namesCarriageReturn(): boolean {
    return !this.parsed.crlf;
  }

  /**
   * Yields every match from left to right, and undefined about every millisecond so that the caller can do other
   * work.
   */
  *matches(text: string, groups: readonly number[]): Generator<TextMatch | undefined, void> {
    const bytes = new TextEncoder().encode(text);
    const slice: TextSlice = { bytes, from: 0, to: bytes.length };
    const offsets = new UnitOffsets(bytes, text.length);
    const nfa = compileNfa(this.parsed);
    const search = new NfaSearch(nfa);
    const captures = groups.length > 0 ? new CaptureSearch(nfa) : undefined;
    const cursor = new MatchCursor(slice, nfa.crlf);
    while (cursor.at <= bytes.length) {
      search.begin(slice, cursor.at);
      while (!search.advance()) yield undefined;
      const { found } = search;
      if (!found) return;
      if (!cursor.take(found)) continue;
      assertWhole(found, cursor);
      const spans = captures ? yield* captures.resolve(slice, found, groups) : NO_GROUPS;
      yield offsets.inUnits(found, spans);
    }
  }
}

const NO_GROUPS: GroupSpans = new Map();

/** Only a byte pattern can match part of a character, which a string cannot represent. */
function assertWhole({ start, end }: Span, cursor: MatchCursor): void {
  if (!cursor.isInside(start) && !cursor.isInside(end)) return;
  throw new PatternError("a match inside a character", 0, "leave (?-u) out");
}

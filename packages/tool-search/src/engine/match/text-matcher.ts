import type { Span, Steps } from "@haft/text/regex";
import type { SearchKernel } from "../kernel/search-kernel.js";
import type { CompiledPattern } from "./compile-pattern.js";
import type { OnMatch } from "./line-examiner.js";
import { LineMatcher } from "./line-matcher.js";
import { SpanMatcher } from "./span-matcher.js";

/** Finds the matches of a text in the kernel's memory, line by line or across lines. */
export interface TextMatcher {
  /** Reports in order: in line mode each matching line once, otherwise each match. The text ends in a newline. */
  scan(from: number, end: number, onMatch: OnMatch): Steps;
  /** Returns the first match in the line [from, end), if `scan` reports only lines. */
  span?(from: number, end: number): Steps<Span | undefined>;
}

export function textMatcher(kernel: SearchKernel, pattern: CompiledPattern, pulse: () => void): TextMatcher {
  return pattern.multiline
    ? new SpanMatcher(kernel, pattern, pulse)
    : new LineMatcher(kernel, pattern, pulse);
}

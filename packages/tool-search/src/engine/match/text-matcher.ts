import type { SearchKernel } from "../kernel/search-kernel.js";
import type { Span } from "../regex/nfa-search.js";
import type { CompiledPattern } from "./compile-pattern.js";
import { LineMatcher, type OnLine } from "./line-matcher.js";
import { SpanMatcher } from "./span-matcher.js";

/** Finds the matching lines of a text in the kernel's memory, line by line or across lines. */
export interface TextMatcher {
  /** Each matching line once, in order. The text ends in a newline. */
  scan(from: number, end: number, onLine: OnLine): void;
  /** The first match that touches the line [from, end); `textStart` and `textEnd` bound the text around it. */
  span(from: number, end: number): Span | undefined;
}

export function textMatcher(kernel: SearchKernel, pattern: CompiledPattern, pulse: () => void): TextMatcher {
  return pattern.multiline
    ? new SpanMatcher(kernel, pattern, pulse)
    : new LineMatcher(kernel, pattern, pulse);
}

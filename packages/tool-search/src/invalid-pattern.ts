import { type NextCall, ToolError } from "@haft/core";
import { PatternError, patternRefusal, type RefusedPattern } from "@haft/text/path-rules";

interface RefusedCall extends RefusedPattern {
  readonly next?: NextCall | undefined;
}

/** Returns what a model needs to rewrite the pattern. Returns other errors unchanged. */
export function invalidPattern(error: unknown, refused: RefusedCall): unknown {
  if (!(error instanceof PatternError)) return error;
  const { message, hint, details } = patternRefusal(error, refused);
  return new ToolError("INVALID_PATTERN", message, { hint, details, next: refused.next, cause: error });
}

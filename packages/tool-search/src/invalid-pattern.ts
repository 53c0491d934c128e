import { type NextCall, ToolError } from "@haft/core";
import { PatternError } from "@haft/text/path-rules";

export interface RefusedPattern {
  /** "regular expression" or "glob". */
  readonly kind: string;
  readonly pattern: string;
  /** A pattern that can be run instead, where one is known. */
  readonly rewrite?: string | undefined;
  readonly next?: NextCall | undefined;
  /** Added to the hint: what the syntax is like. */
  readonly syntax: string;
}

/** What a model needs to write the pattern again; other errors pass through. */
export function invalidPattern(error: unknown, refused: RefusedPattern): unknown {
  if (!(error instanceof PatternError)) return error;
  const { kind, pattern, rewrite, next, syntax } = refused;
  const shown = pattern.length > 200 ? `${pattern.slice(0, 200)}…` : pattern;
  const advice = error.hint.endsWith(".") ? error.hint : `${error.hint}.`;
  return new ToolError("INVALID_PATTERN", `Invalid ${kind} ${JSON.stringify(shown)}: ${error.message}`, {
    hint: [
      `${advice[0]?.toUpperCase()}${advice.slice(1)}`,
      ...(rewrite === undefined ? [] : [`For example: ${rewrite}`]),
      syntax,
    ].join(" "),
    details: {
      construct: error.construct,
      position: error.position,
      ...(rewrite === undefined ? {} : { rewrite }),
    },
    next,
    cause: error,
  });
}

import type { PatternError } from "./pattern-error.js";

export interface RefusedPattern {
  /** "regular expression", "glob", or the parameter that holds the pattern. */
  readonly kind: string;
  readonly pattern: string;
  /** A valid pattern to use instead, if one is known. */
  readonly rewrite?: string | undefined;
  /** Appended to the hint: a summary of the syntax. */
  readonly syntax: string;
}

/** Tells a model how to correct a pattern. Every tool rejects the same pattern with the same message. */
export interface PatternRefusal {
  readonly message: string;
  readonly hint: string;
  readonly details: {
    readonly construct: string;
    readonly position: number;
    readonly rewrite?: string;
  };
}

export function patternRefusal(error: PatternError, refused: RefusedPattern): PatternRefusal {
  const { kind, pattern, rewrite, syntax } = refused;
  const { construct, position, hint, message } = error;
  const shown = pattern.length > 200 ? `${pattern.slice(0, 200)}…` : pattern;
  const advice = hint.endsWith(".") ? hint : `${hint}.`;
  return {
    message: `Invalid ${kind} ${JSON.stringify(shown)}: ${message}`,
    hint: [
      `${advice[0]?.toUpperCase()}${advice.slice(1)}`,
      ...(rewrite === undefined ? [] : [`For example: ${rewrite}`]),
      syntax,
    ].join(" "),
    details: { construct, position, ...(rewrite === undefined ? {} : { rewrite }) },
  };
}

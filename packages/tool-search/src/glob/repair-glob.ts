import { globMatcher, PatternError } from "@haft/text/path-rules";

/** Returns a pattern with its brackets and braces closed; undefined if it was valid, or if that does not help. */
export function repairGlob(pattern: string): string | undefined {
  let repaired = pattern;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const error = problemOf(repaired);
    if (error === undefined) return repaired === pattern ? undefined : repaired;
    if (error.construct === "empty glob") repaired = "**/*";
    else if (error.construct === "unclosed bracket") repaired = closed(repaired, error.position, "]");
    else if (error.construct === "unclosed brace") repaired = closed(repaired, error.position, "}");
    else return undefined;
  }
  return undefined;
}

const MAX_ROUNDS = 8;

/** Closes it at the end of the name where it was opened; a bracket before the extension: `[abc.ts` → `[abc].ts`. */
function closed(pattern: string, open: number, closing: string): string {
  const slash = pattern.indexOf("/", open);
  const end = slash < 0 ? pattern.length : slash;
  const dot = closing === "]" ? pattern.indexOf(".", open) : -1;
  const at = dot > open + 1 && dot < end ? dot : end;
  return pattern.slice(0, at) + closing + pattern.slice(at);
}

function problemOf(pattern: string): PatternError | undefined {
  try {
    globMatcher(pattern);
    return undefined;
  } catch (error) {
    if (error instanceof PatternError) return error;
    throw error;
  }
}

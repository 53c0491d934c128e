import { PatternError } from "@haft/text/path-rules";
import { compilePattern } from "../engine/match/compile-pattern.js";

/**
 * The nearest pattern that can be run: a look-ahead becomes the text it looks at, a negative one is dropped, and what
 * never closes is closed. Undefined when that does not help; it is a suggestion, never run on its own.
 */
export function rewritePattern(pattern: string, multiline: boolean): string | undefined {
  let rewritten = pattern;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const error = problemOf(rewritten, multiline);
    if (error === undefined) return rewritten === pattern || rewritten === "" ? undefined : rewritten;
    const better = repair(rewritten, error);
    if (better === undefined || better === rewritten) return undefined;
    rewritten = better;
  }
  return undefined;
}

const MAX_ROUNDS = 8;

function problemOf(pattern: string, multiline: boolean): PatternError | undefined {
  try {
    compilePattern({ pattern, multiline });
    return undefined;
  } catch (error) {
    if (error instanceof PatternError) return error;
    throw error;
  }
}

function repair(pattern: string, { construct }: PatternError): string | undefined {
  if (/look-?(ahead|behind|around)/i.test(construct)) return withoutLooking(pattern);
  if (/atomic/i.test(construct)) return withoutAtomic(pattern);
  if (construct.startsWith("unclosed group")) return `${pattern})`;
  if (construct.startsWith("unclosed character class")) return `${pattern}]`;
  if (construct.startsWith("pattern ends in a lone backslash")) return `${pattern}\\`;
  if (construct.startsWith("unopened group")) return escapedParenthesis(pattern);
  return undefined;
}

function withoutLooking(pattern: string): string | undefined {
  const found = /\(\?<?[=!]/.exec(pattern);
  if (!found) return undefined;
  const bodyStart = found.index + found[0].length;
  const end = closingParenthesis(pattern, bodyStart);
  if (end === undefined) return undefined;
  const body = found[0].endsWith("=") ? `(?:${pattern.slice(bodyStart, end)})` : "";
  return pattern.slice(0, found.index) + body + pattern.slice(end + 1);
}

function withoutAtomic(pattern: string): string | undefined {
  const at = pattern.indexOf("(?>");
  return at < 0 ? undefined : `${pattern.slice(0, at)}(?:${pattern.slice(at + 3)}`;
}

function escapedParenthesis(pattern: string): string | undefined {
  const at = pattern.lastIndexOf(")");
  return at < 0 ? undefined : `${pattern.slice(0, at)}\\${pattern.slice(at)}`;
}

function closingParenthesis(pattern: string, from: number): number | undefined {
  let depth = 1;
  let inClass = false;
  for (let at = from; at < pattern.length; at++) {
    const char = pattern[at];
    if (char === "\\") at++;
    else if (inClass) inClass = char !== "]";
    else if (char === "[") inClass = true;
    else if (char === "(") depth++;
    else if (char === ")" && --depth === 0) return at;
  }
  return undefined;
}

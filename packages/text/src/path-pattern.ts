import { minimatch } from "minimatch";

export interface PathPatternOptions {
  readonly ignoreCase?: boolean;
}

export function compilePathPattern(
  pattern: string | readonly string[],
  options: PathPatternOptions = {},
): (path: string) => boolean {
  const patterns = typeof pattern === "string" ? [pattern] : pattern;
  const nocase = options.ignoreCase ?? false;
  return (path) => patterns.some((each) => minimatch(path, each, { dot: true, matchBase: true, nocase }));
}

import { braceExpand } from "minimatch";

/**
 * Returns sample paths for a pattern of `compilePathPattern`, with names that other patterns are unlikely to contain.
 * A second pattern that matches every sample this one matches covers it. Undefined for a pattern with `[…]`, for
 * which a few samples prove nothing.
 */
export function pathExamples(pattern: string): readonly string[] | undefined {
  const isRooted = /^\.?\//.test(pattern) || pattern.replace(/\/+$/, "").includes("/");
  const alternatives = braceExpand(pattern.replace(/^(?:\.?\/)+/, ""), { braceExpandMax: MAX_EXAMPLES });
  if (alternatives.some((each) => /(?<!\\)\[/.test(each))) return undefined;
  const starts = isRooted ? [[]] : [[], ["qx0"]];
  const paths = alternatives.flatMap((each) => starts.flatMap((start) => examplesOf(each, start)));
  return paths.slice(0, MAX_EXAMPLES);
}

const MAX_EXAMPLES = 100;

function examplesOf(pattern: string, start: readonly string[]): readonly string[] {
  let found: (readonly string[])[] = [start];
  for (const segment of pattern.replace(/\/+$/, "").split("/")) {
    const tails = segment === "**" ? [[], ["qx1"], ["qx1", "qx2"]] : [[nameFor(segment)]];
    found = found.flatMap((path) => tails.map((tail) => [...path, ...tail])).slice(0, MAX_EXAMPLES);
  }
  // A restricting pattern also covers everything below a match.
  return found.flatMap((path) => [path.join("/"), [...path, "qx3"].join("/")]);
}

function nameFor(segment: string): string {
  return segment.replace(/\\(.)|\*+|\?/g, (found, escaped: string | undefined) => {
    if (escaped !== undefined) return escaped;
    return found === "?" ? "q" : "qx4";
  });
}

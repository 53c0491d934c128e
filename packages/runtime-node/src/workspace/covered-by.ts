import { compilePathPattern } from "@haft/text";

/** A pattern that matches a directory covers everything below it. */
export function coveredBy(patterns: readonly string[] = []): (path: string) => boolean {
  if (patterns.length === 0) return () => false;
  const matches = compilePathPattern(patterns, { ignoreCase: true });
  return (path) => {
    for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1))
      if (matches(path.slice(0, end))) return true;
    return false;
  };
}

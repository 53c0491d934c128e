import { compilePathPattern } from "@haft/text";

/** Compiles the host's patterns. A separate file, because few hosts have any and the compiler is large. */
export function coveredBy(patterns: readonly string[] = []): (path: string) => boolean {
  return compilePathPattern(patterns, { ignoreCase: true, covering: true });
}

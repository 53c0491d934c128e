// Loaded by worker threads that search large folders: rebuilds the reader's guard from plain data.
import type { PathSelection } from "@haft/text";
import { NameGuard, type NameRules } from "./name-guard.js";

export async function makeThreadGuard({
  sensitive,
  reserved,
  closed = [],
}: NameRules & { readonly closed?: readonly PathSelection[] }): Promise<(path: string) => boolean> {
  // Few hosts have their own patterns, and their compiler is large.
  const extra = sensitive.length === 0 ? undefined : (await import("./covered-by.js")).coveredBy(sensitive);
  const guard = new NameGuard(reserved, extra ?? (() => false));
  if (closed.length === 0) return (path) => guard.mayOpen(path);
  const isClosed = (await import("./closed-paths.js")).closedPaths(closed);
  return (path) => guard.mayOpen(path) && !isClosed(path);
}

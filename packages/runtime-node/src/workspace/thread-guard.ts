// Loaded by worker threads, which search large folders: the reader's guard, made anew from plain data.
import { NameGuard, type NameRules } from "./name-guard.js";

export async function makeThreadGuard({
  sensitive,
  reserved,
}: NameRules): Promise<(path: string) => boolean> {
  // Patterns of the host's own are rare, and what compiles them is large.
  const extra = sensitive.length === 0 ? undefined : (await import("./covered-by.js")).coveredBy(sensitive);
  const guard = new NameGuard(reserved, extra ?? (() => false));
  return (path) => guard.mayOpen(path);
}

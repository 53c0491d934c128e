import type { FileChange } from "./file-change.js";
import { recordChange } from "./record-change.js";
import { touchedBy } from "./touched-by.js";

/** Merges changes of the same path if no other change touches that path in between. For display. */
export function netChanges(changes: readonly FileChange[]): readonly FileChange[] {
  const net: FileChange[] = [];
  for (const next of changes) {
    const at = net.findLastIndex((each) => touchedBy(each).includes(next.path));
    const last = net[at];
    if (last?.path === next.path) net.splice(at, 1, ...recordChange(last, next));
    else net.push(next);
  }
  return net;
}

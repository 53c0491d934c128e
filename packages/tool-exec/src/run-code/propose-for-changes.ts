import type { Proposal } from "@haft/core";
import type { FileChange } from "@haft/core/workspace";

/**
 * The rule for changes of commands and code: new files and moves to free names need no approval. Modifying, deleting
 * and overwriting do. The kernel handles protected paths.
 */
export function proposeForChanges(changes: readonly FileChange[]): Proposal {
  const asking = changes.filter((change) => !isHarmless(change));
  if (asking.length === 0) return "auto";
  const counts = KINDS.flatMap((kind) => {
    const count = asking.filter((change) => change.kind === kind).length;
    return count === 0 ? [] : [`${VERBS[kind]} ${count} ${count === 1 ? "path" : "paths"}`];
  });
  return { confirm: `it would ${counts.join(" and ")}` };
}

/** Returns true if nothing is lost: a new entry, a rename, or a folder that was empty. */
function isHarmless(change: FileChange): boolean {
  if (change.kind === "delete")
    return change.before.type === "directory" && change.before.entries?.length === 0;
  return change.kind === "create" || (change.kind === "move" && change.replaces === undefined);
}

const KINDS = ["modify", "delete", "move"] as const;
const VERBS = { modify: "modify", delete: "delete", move: "overwrite" } as const;

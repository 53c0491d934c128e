import type { AuditStore } from "@haft/core/stores";

/** The audit log of a tenant for the runtime of one workspace. Several workspaces share one chain. */
export function workspaceAudit(store: AuditStore, workspace: string): AuditStore {
  return {
    // Listed one by one: a spread copy would lose the methods of a class instance.
    append: (entry) => store.append({ ...entry, workspace }),
    list: (afterSeq) => store.list(afterSeq),
    verify: () => store.verify(),
  };
}

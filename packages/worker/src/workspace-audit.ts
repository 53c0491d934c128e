import type { AuditStore } from "@haft/core/stores";

/** The audit log of a tenant, as the runtime of one workspace writes to it: several workspaces share one chain. */
export function workspaceAudit(store: AuditStore, workspace: string): AuditStore {
  return {
    // One by one: a store may be an object with a class, whose methods a copy would not have.
    append: (entry) => store.append({ ...entry, workspace }),
    list: (afterSeq) => store.list(afterSeq),
    verify: () => store.verify(),
  };
}

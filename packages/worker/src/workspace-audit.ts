import type { AuditStore } from "@haft/core/stores";
import type { CallStart } from "./call-start.js";

/** The audit log of a tenant for the runtime of one workspace. Several workspaces share one chain. */
export function workspaceAudit(
  store: AuditStore,
  workspace: string,
  startOf: (callId: string) => CallStart | undefined,
): AuditStore {
  return {
    // Listed one by one: a spread copy would lose the methods of a class instance.
    append: (entry) => {
      const appended = store.append({ ...entry, workspace });
      // No effect waits for the record of an outcome.
      if (entry.outcome === undefined) startOf(entry.callId)?.recording(appended);
      return appended;
    },
    list: (afterSeq) => store.list(afterSeq),
    verify: () => store.verify(),
  };
}

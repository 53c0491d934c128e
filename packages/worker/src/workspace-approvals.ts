import type { ApprovalStore } from "@haft/core/stores";

interface ApprovalPlace {
  readonly workspace: string;
  /** The location of the workspace on this worker; other workers may have it elsewhere. */
  readonly root: string;
  /** Whether a call may have asked before, so that its approvals must be looked up. */
  mayHaveAsked(callId: string): boolean;
}

/**
 * The approvals of one workspace, as its runtime sees them. A worker never waits for an answer: a call that needs one
 * is suspended, so no request counts as waited for.
 */
export function workspaceApprovals(store: ApprovalStore, place: ApprovalPlace): ApprovalStore {
  const { workspace, root, mayHaveAsked } = place;
  return {
    // Listed one by one: a spread copy would lose the methods of a class instance.
    decide: (id, answer) => store.decide(id, answer),
    decision: (id) => store.decision(id),
    take: (id) => store.take(id),
    insert: (record) => store.insert({ ...record, workspace }),
    list: async (filter = {}) => {
      if (filter.callId !== undefined && !mayHaveAsked(filter.callId)) return [];
      const stored = await store.list(filter);
      return stored
        .filter((each) => each.workspace === workspace)
        .map((each) => ({ ...each, workspace: root, isWaitedFor: false }));
    },
    renew: async () => {},
    release: async () => {},
    // Decisions reach a worker as calls in its queue.
    watch: () => () => {},
  };
}

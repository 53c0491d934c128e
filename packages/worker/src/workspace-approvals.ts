import { type ApprovalStore, filteredApprovals } from "@haft/core/stores";

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
      const { undecided: _, ...rest } = filter;
      if (filter.callId !== undefined && !mayHaveAsked(filter.callId)) return [];
      // The limit counts the approvals of this workspace alone.
      const ours = (await store.list(rest)).filter((each) => each.workspace === workspace);
      return filteredApprovals(
        ours.map((each) => ({ ...each, workspace: root, isWaitedFor: false })),
        filter,
      );
    },
    renew: async () => {},
    release: async () => {},
    // Decisions reach a worker as calls in its queue.
    watch: () => () => {},
  };
}

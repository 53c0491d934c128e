import type {
  ApprovalDecision,
  ApprovalRecord,
  ApprovalStore,
  StoredApproval,
} from "../approval/approval-store.js";
import { filteredApprovals } from "../approval/filtered-approvals.js";

/** Approvals in memory. Several runtimes of a process may share one store. */
export function memoryApprovalStore(): ApprovalStore {
  const records = new Map<string, { record: ApprovalRecord; isWaitedFor: boolean }>();
  const decisions = new Map<string, ApprovalDecision>();
  const listeners = new Set<() => void>();
  const tell = () => [...listeners].forEach((listener) => void listener());
  const setWaiter = (id: string, isWaitedFor: boolean) => {
    const found = records.get(id);
    if (found !== undefined) found.isWaitedFor = isWaitedFor;
  };
  return {
    insert: async (record) => {
      records.set(record.request.stepId, { record: structuredClone(record), isWaitedFor: true });
      tell();
    },
    list: async (filter = {}) =>
      filteredApprovals(
        [...records.values()].map((stored) => toStored(stored, decisions)),
        filter,
      ),
    decide: async (id, answer) => {
      if (decisions.has(id)) return false;
      const { approved } = answer;
      decisions.set(id, { decidedAt: new Date().toISOString(), approved, answer: structuredClone(answer) });
      tell();
      return true;
    },
    decision: async (id) => decisions.get(id),
    take: async (id) => {
      const decision = decisions.get(id);
      if (decision !== undefined) decisions.set(id, withoutAnswer(decision));
      return records.delete(id);
    },
    renew: async (id) => setWaiter(id, true),
    release: async (id) => setWaiter(id, false),
    watch: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function withoutAnswer({ answer: _, ...kept }: ApprovalDecision): ApprovalDecision {
  return kept;
}

function toStored(
  { record, isWaitedFor }: { readonly record: ApprovalRecord; readonly isWaitedFor: boolean },
  decisions: ReadonlyMap<string, ApprovalDecision>,
): StoredApproval {
  const decision = decisions.get(record.request.stepId);
  return { ...structuredClone(record), isWaitedFor, ...(decision !== undefined && { decision }) };
}

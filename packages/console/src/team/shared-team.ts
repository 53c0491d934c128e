import type { ApprovalAnswer } from "@haft/core";
import { type CallRecord, decideApproval, type SharedStore, teamStatus } from "@haft/core/calls";
import type { TeamInfo } from "../protocol.js";

/** A store that several machines share, and the tenant that the console shows. */
export interface ConsoleTeam {
  readonly store: SharedStore;
  readonly tenant: string;
}

/** Shows workers, leases, quotas and pending approvals of a shared store, and decides the approvals. */
export class SharedTeam {
  readonly #team: ConsoleTeam;
  readonly #user: string;

  constructor(team: ConsoleTeam, user: string) {
    this.#team = team;
    this.#user = user;
  }

  async info(): Promise<TeamInfo> {
    const { store, tenant } = this.#team;
    const [status, members] = await Promise.all([teamStatus(store, { tenant }), store.members.list(tenant)]);
    const { approvals, queue, ...rest } = status;
    return {
      ...rest,
      members,
      queue: queue.map(queuedCall),
      approvals: approvals.map(({ request, workspace, requestedAt }) => ({
        id: request.stepId,
        workspace,
        request,
        requestedAt,
      })),
      mayApprove: members.some(({ id, rights }) => id === this.#user && rights.includes("approve")),
    };
  }

  /** Rejects with PERMISSION_DENIED, ALREADY_DECIDED or APPROVAL_NOT_FOUND. */
  async decide(approvalId: string, answer: ApprovalAnswer): Promise<void> {
    const { store, tenant } = this.#team;
    await decideApproval(store, { tenant, id: this.#user }, { approvalId, answer });
  }
}

/** SECURITY: the arguments of queued calls are not redacted, so they stay here. */
function queuedCall(call: CallRecord): TeamInfo["queue"][number] {
  const { callId, tool, workspace, state, worker, attempt, submittedAtMs } = call;
  return { callId, tool, workspace, state, attempt, submittedAtMs, ...(worker !== undefined && { worker }) };
}

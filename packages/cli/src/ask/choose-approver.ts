import { accountName } from "@haft/agent/node";
import type { NodeRuntimeOptions } from "@haft/runtime-node";
import { type CliIo, isInteractive, questionIo } from "../cli-io.js";
import type { Approve } from "../open/runtime-choices.js";

export interface ApproveChoice {
  readonly approve?: Approve;
}

/** The decider that answers yes without asking anybody. */
export const APPROVE_ALL = "--approve all";

/**
 * Chooses the approver. Without an approver the runtime refuses calls that need approval. Ctrl-C during a question
 * calls `onInterrupt`, which must abort the call.
 */
export function chooseApprover(
  choice: ApproveChoice,
  io: CliIo,
  onInterrupt?: () => void,
): Pick<NodeRuntimeOptions, "approver"> {
  const how = whoApproves(choice, io);
  if (how === "all")
    return { approver: async () => ({ approved: true, by: { how: "rule", who: APPROVE_ALL } }) };
  if (how === "none") return {};
  return {
    approver: async (request, signal) => {
      const { askInTerminal } = await import("./ask-in-terminal.js");
      const answer = await askInTerminal(request, questionIo(io), { signal, onInterrupt });
      return { ...answer, by: { how: "person", who: accountName() } };
    },
  };
}

/** Returns "ask" only if a person can be asked. */
export function whoApproves({ approve }: ApproveChoice, io: CliIo): Approve {
  if (approve === "all" || approve === "none") return approve;
  return isInteractive(io) ? "ask" : "none";
}

import type { NodeRuntimeOptions } from "@haft/runtime-node";
import { type CliIo, isInteractive } from "../cli-io.js";
import type { Approve } from "../open/runtime-choices.js";

export interface ApproveChoice {
  readonly approve?: Approve;
}

/** Who decides what needs approval; nobody, where there is nobody to ask, so that it is refused. */
export function chooseApprover(choice: ApproveChoice, io: CliIo): Pick<NodeRuntimeOptions, "approver"> {
  const how = whoApproves(choice, io);
  if (how === "all") return { approver: async () => ({ approved: true }) };
  if (how === "none") return {};
  return {
    approver: async (request, signal) => {
      const { askInTerminal } = await import("./ask-in-terminal.js");
      return askInTerminal(request, io, { signal });
    },
  };
}

/** "ask" only where somebody can be asked. */
export function whoApproves({ approve }: ApproveChoice, io: CliIo): Approve {
  if (approve === "all" || approve === "none") return approve;
  return isInteractive(io) ? "ask" : "none";
}

import { join } from "node:path";
import type { NodeRuntimeOptions } from "@haft/runtime-node";
import { type CliIo, isInteractive } from "../cli-io.js";
import type { Approve, RuntimeChoices } from "../open/runtime-choices.js";
import { workspaceState } from "../open/workspace-state.js";

export interface ApproveChoice extends Pick<RuntimeChoices, "workspace"> {
  readonly approve?: Approve;
}

/** Who decides what needs approval; nobody, where there is nobody to ask, so that it is refused. */
export function chooseApprover(choice: ApproveChoice, io: CliIo): Pick<NodeRuntimeOptions, "approver"> {
  const how = choice.approve ?? (isInteractive(io) ? "ask" : "none");
  if (how === "all") return { approver: async () => ({ approved: true }) };
  if (how === "none" || !isInteractive(io)) return {};
  return {
    approver: async (request, signal) => {
      const { askInTerminal } = await import("./ask-in-terminal.js");
      const grantsFolder = join(workspaceState(choice, io), "grants");
      return askInTerminal(request, signal, { ...io, grantsFolder });
    },
  };
}

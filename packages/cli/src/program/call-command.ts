import type { ApproveChoice } from "../ask/choose-approver.js";
import type { CallCommand } from "../commands/call.js";
import type { RuntimeChoices } from "../open/runtime-choices.js";

/** Renames `json`, which is both an argument and an option of the same command. */
export function callCommand(tool: string, args: string | undefined, choices: CallOptions): CallCommand {
  const { json, dryRun, ...rest } = choices;
  return { ...rest, tool, args, asJson: json ?? false, dryRun: dryRun ?? false };
}

type CallOptions = RuntimeChoices & ApproveChoice & { readonly json?: boolean; readonly dryRun?: boolean };

import { ToolError } from "../error/tool-error.js";
import { declaredPermissions, onlyReads } from "../permission/tool-permission.js";
import type { CallInHand } from "./kernel.js";

/** Whether a call only shows what it would do: because its caller or its own arguments say so. */
export function isPreview(call: CallInHand): boolean {
  return call.isDryRun || call.registered.definition.previewOnly?.(call.args as never) === true;
}

export function isReadOnly(call: CallInHand): boolean {
  return onlyReads(declaredPermissions(call.registered.definition));
}

export function cannotPreview(call: CallInHand): ToolError {
  return new ToolError(
    "INVALID_ARGUMENTS",
    `${call.tool} cannot be run dry: what it does outside the workspace cannot be rehearsed`,
  );
}

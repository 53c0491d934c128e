import { ToolError } from "../error/tool-error.js";
import { declaredPermissions, onlyReads } from "../permission/tool-permission.js";
import type { CallInProgress } from "./kernel.js";

/** Returns whether a call is a preview, by the caller's options or its own arguments. */
export function isPreview(call: CallInProgress): boolean {
  return call.isDryRun || call.registered.definition.previewOnly?.(call.parsed as never) === true;
}

export function isReadOnly(call: CallInProgress): boolean {
  return onlyReads(declaredPermissions(call.registered.definition));
}

export function cannotPreview(call: CallInProgress): ToolError {
  return new ToolError(
    "INVALID_ARGUMENTS",
    `${call.tool} does not support dry runs: its effects outside the workspace cannot be rehearsed`,
  );
}

import type { CallAccess } from "../event/proposed-call.js";
import { type CallState, isOpen } from "../state/run-state.js";

/**
 * Returns the open calls that may run now, in the model's order. Reads run concurrently, and so do changes, because the
 * runtime serializes changes to one file. A command runs alone. Calls waiting for approval block nothing.
 */
export function startableCalls(calls: readonly CallState[]): readonly CallState[] {
  const startable: CallState[] = [];
  const ahead = new Set<CallAccess>();
  for (const call of calls.filter(isOpen)) {
    if (call.status === "awaiting") continue;
    if (mayStart(call.access, ahead)) startable.push(call);
    ahead.add(call.access);
  }
  return startable;
}

function mayStart(access: CallAccess, ahead: ReadonlySet<CallAccess>): boolean {
  return ahead.size === 0 || (ahead.size === 1 && ahead.has(access) && access !== "exclusive");
}

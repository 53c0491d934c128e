import type { CallAccess } from "../event/proposed-call.js";
import { type CallState, isOpen } from "../state/run-state.js";

/**
 * The open calls that may be under way now, in the model's order. Reads go together; so do changes,
 * for the runtime lets those of one file take turns in the order they come; a command has the
 * workspace to itself. A call that waits for a person holds up nobody.
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

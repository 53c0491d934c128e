import { type CallState, isOpen } from "../state/run-state.js";

/**
 * The open calls that may be under way now, in the model's order. Reads go together; so do changes,
 * for the runtime lets those of one file take turns in the order they come; a command has the
 * workspace to itself. A call that waits for a person holds up nobody.
 */
export function startableCalls(calls: readonly CallState[]): readonly CallState[] {
  const startable: CallState[] = [];
  const ahead: CallState[] = [];
  for (const call of calls.filter(isOpen)) {
    if (call.status === "awaiting") continue;
    if (ahead.every((earlier) => mayGoTogether(earlier, call))) startable.push(call);
    ahead.push(call);
  }
  return startable;
}

function mayGoTogether(earlier: CallState, later: CallState): boolean {
  return earlier.access !== "exclusive" && earlier.access === later.access;
}

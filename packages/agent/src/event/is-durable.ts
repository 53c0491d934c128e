import type { DurableEvent, EphemeralBody, RunEvent } from "./run-event.js";

/** Returns whether an event is stored in the log. Other events are emitted once and never replayed. */
export function isDurable(event: RunEvent): event is DurableEvent {
  return !Object.hasOwn(EPHEMERAL, event.type);
}

const EPHEMERAL: Readonly<Record<EphemeralBody["type"], true>> = {
  "step.started": true,
  "retry.waiting": true,
  "text.delta": true,
  "reasoning.delta": true,
  "args.delta": true,
  "call.progress": true,
};

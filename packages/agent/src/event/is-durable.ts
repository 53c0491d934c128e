import type { DurableEvent, EphemeralBody, RunEvent } from "./run-event.js";

/** Whether an event is part of the log; the others are told once and never again. */
export function isDurable(event: RunEvent): event is DurableEvent {
  return !Object.hasOwn(EPHEMERAL, event.type);
}

const EPHEMERAL: Readonly<Record<EphemeralBody["type"], true>> = {
  "step.started": true,
  "text.delta": true,
  "reasoning.delta": true,
  "args.delta": true,
  "call.progress": true,
};

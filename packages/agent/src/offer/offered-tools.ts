import type { ToolDescription } from "@haft/core";
import type { DurableEvent } from "../event/run-event.js";

/**
 * Returns the tools to offer in the next turn: all except deferred ones that were neither found nor called. Keeps the
 * runtime's order, so that the provider's prompt cache stays valid.
 */
export function offeredTools(
  tools: readonly ToolDescription[],
  events: readonly DurableEvent[] = [],
): readonly ToolDescription[] {
  const found = new Set<string>();
  for (const event of events) {
    if (event.type === "step.ended") for (const { tool } of event.calls) found.add(tool);
    if (event.type === "call.settled") for (const name of event.offers ?? []) found.add(name);
  }
  return tools.filter(({ name, deferred }) => deferred !== true || found.has(name));
}

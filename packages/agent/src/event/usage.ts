import type { RunEvent, Usage } from "./run-event.js";

/** Returns the tokens an event reports for a turn, a failed attempt or a summary. */
export function usageOf(event: RunEvent): Usage | undefined {
  return "usage" in event ? event.usage : undefined;
}

export function addUsage(used: Usage, more: Usage | undefined): Usage {
  return {
    inputTokens: used.inputTokens + (more?.inputTokens ?? 0),
    outputTokens: used.outputTokens + (more?.outputTokens ?? 0),
  };
}

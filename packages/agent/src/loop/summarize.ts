import type { RunLimits } from "../event/limits.js";
import type { ContextCompacted, DurableEvent, Usage } from "../event/run-event.js";
import { plainSummary, summaryRequest } from "../messages/summary-request.js";
import type { ModelClient } from "../model/model-client.js";

interface Summarizing {
  readonly events: readonly DurableEvent[];
  readonly limits: RunLimits;
  readonly signal: AbortSignal;
}

/** Asks the model for a summary of the conversation. Never rejects: falls back to a summary without the model. */
export async function summarize(
  model: ModelClient,
  { events, limits, signal }: Summarizing,
): Promise<WrittenSummary> {
  const budgetTokens = Math.floor((limits.contextTokens ?? DEFAULT_CONTEXT_TOKENS) / 2);
  const messages = summaryRequest(events, budgetTokens);
  let text = "";
  let usage: Usage | undefined;
  try {
    for await (const delta of model.stream({ messages, tools: [], toolChoice: "none" }, signal)) {
      if (delta.type === "text") text += delta.delta;
      if (delta.type === "usage") usage = delta.usage;
      if (text.length > MAX_SUMMARY_CHARS) break;
    }
  } catch {
    text = "";
  }
  const summary = text.trim() === "" ? plainSummary(events) : text.slice(0, MAX_SUMMARY_CHARS);
  return { summary, ...(usage !== undefined && { usage }) };
}

type WrittenSummary = Required<Pick<ContextCompacted, "summary">> & Pick<ContextCompacted, "usage">;

const DEFAULT_CONTEXT_TOKENS = 32_000;
const MAX_SUMMARY_CHARS = 20_000;

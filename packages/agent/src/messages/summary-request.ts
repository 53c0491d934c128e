import { estimateTokens, truncateText } from "@haft/text";
import type { DurableEvent } from "../event/run-event.js";
import type { ModelMessage } from "../model/model-client.js";
import { toMessages } from "./to-messages.js";

/**
 * Returns the messages that ask a model for a summary. Because the conversation did not fit, results are omitted, long
 * texts are cut, and then the middle is dropped.
 */
export function summaryRequest(
  events: readonly DurableEvent[],
  budgetTokens: number,
): readonly ModelMessage[] {
  const conversation = toMessages(events).flatMap(withoutResults);
  const first = conversation[0];
  if (first === undefined) return [{ role: "user", text: INSTRUCTION }];
  let left = budgetTokens - tokensOf(first);
  const newest: ModelMessage[] = [];
  for (const message of conversation.slice(1).toReversed()) {
    left -= tokensOf(message);
    if (left < 0) break;
    newest.unshift(message);
  }
  return [first, ...newest, { role: "user", text: INSTRUCTION }];
}

/** Creates a summary without a model: the user's messages and the model's last answer. */
export function plainSummary(events: readonly DurableEvent[]): string {
  const asked = events.flatMap((event) =>
    event.type === "message.user" ? [`The user said: ${cut(event.text)}`] : [],
  );
  const last = events.findLast((event) => event.type === "step.ended" && event.text !== "");
  const answer = last?.type === "step.ended" ? [`Your last answer: ${cut(last.text)}`] : [];
  return [...asked.slice(-MAX_QUOTED), ...answer].join("\n");
}

/** Omits tool results and turns calls into text, because servers reject calls without results. */
function withoutResults(message: ModelMessage): readonly ModelMessage[] {
  if (message.role === "tool") return [];
  if (message.role !== "assistant") return [{ ...message, text: cut(message.text) }];
  const calls = message.calls.map(({ name, args }) => `[called ${name} ${cut(args, 200)}]`);
  const text = [cut(message.text), ...calls].filter((part) => part !== "").join("\n");
  return text === "" ? [] : [{ role: "assistant", text, calls: [] }];
}

function cut(text: string, maxChars = 2_000): string {
  return truncateText(text, { maxChars }).text;
}

function tokensOf(message: ModelMessage): number {
  return message.role === "tool" ? 0 : estimateTokens(message.text);
}

const MAX_QUOTED = 20;
const INSTRUCTION =
  "The conversation is too long to continue as it is. Summarize it so that you can continue from the summary alone: " +
  "the user's goals and decisions, files read and changed with their paths, commands run and their results, what is done, and the next steps. " +
  "Write only the summary.";

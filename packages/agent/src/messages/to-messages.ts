import type { Content } from "@haft/core";
import type { ProposedCall } from "../event/proposed-call.js";
import type { CallSettled, DurableEvent, MessageUser, StepEnded } from "../event/run-event.js";
import type { MessageCall, ModelMessage } from "../model/model-client.js";

/**
 * Projects the events into the messages for a model. Every call is followed by exactly one result, in the model's
 * order; user messages sent meanwhile come after the results.
 */
export function toMessages(
  events: readonly DurableEvent[],
  options: MessageOptions = {},
): readonly ModelMessage[] {
  const results = new Map<string, CallSettled>();
  const cleared = new Set<string>();
  for (const event of events) {
    if (event.type === "call.settled" && !results.has(event.callId)) results.set(event.callId, event);
    if (event.type === "context.compacted") for (const callId of event.cleared) cleared.add(callId);
  }
  const messages: ModelMessage[] = [];
  if (options.system !== undefined) messages.push({ role: "system", text: options.system });
  const summarized = events.findLast(isSummary);
  if (summarized !== undefined)
    messages.push({ role: "user", text: `${SUMMARY_HEADING}\n${summarized.summary}` });
  const idOf = distinctIds();
  for (const event of afterSummary(inConversationOrder(events), summarized)) {
    if (event.type === "message.user") messages.push(userMessage(event));
    else messages.push(...turnMessages(withIds(event, idOf), results, cleared));
  }
  if (options.instruction !== undefined) messages.push({ role: "user", text: options.instruction });
  return messages;
}

function userMessage({ text, note, images }: MessageUser): ModelMessage {
  const told = note === undefined ? text : `${note}\n\n${text}`;
  return { role: "user", text: told, ...(images && { images }) };
}

export interface MessageOptions {
  readonly system?: string;
  /** Added as the last message, for this turn only. */
  readonly instruction?: string;
}

type Said = Extract<DurableEvent, { readonly type: "message.user" | "step.ended" }>;

/** Orders messages sent during a turn after that turn, because it did not include them. */
function inConversationOrder(events: readonly DurableEvent[]): readonly Said[] {
  const said: Said[] = [];
  let unheard: Said[] = [];
  for (const event of events) {
    if (event.type === "message.user") unheard.push(event);
    if (event.type !== "step.ended") continue;
    const { heardSeq } = event;
    said.push(...unheard.filter(({ seq }) => seq <= heardSeq), event);
    unheard = unheard.filter(({ seq }) => seq > heardSeq);
  }
  return [...said, ...unheard];
}

type Summary = DurableEvent & { readonly type: "context.compacted"; readonly summary: string };

function isSummary(event: DurableEvent): event is Summary {
  return event.type === "context.compacted" && event.summary !== undefined;
}

/** Keeps messages the model has not answered yet, even if they are older than the summary. */
function afterSummary(said: readonly Said[], summarized: Summary | undefined): readonly Said[] {
  if (summarized === undefined) return said;
  const { upToSeq = summarized.seq } = summarized;
  const last = said.findLastIndex(({ type, seq }) => type === "step.ended" && seq <= upToSeq);
  return said.slice(last + 1);
}

const SUMMARY_HEADING = "Summary of the conversation so far, which was too long to keep:";

/** Models may repeat the ids of earlier turns, and some providers reject a conversation that does. */
function distinctIds(): (call: ProposedCall) => string {
  const taken = new Set<string>();
  return ({ id, callId }) => {
    let own = id;
    for (let copy = 0; taken.has(own); copy += 1)
      own = `call_${callId.split(":").slice(1).join("_")}${"_".repeat(copy)}`;
    taken.add(own);
    return own;
  };
}

function withIds(turn: StepEnded, idOf: (call: ProposedCall) => string): StepEnded {
  return { ...turn, calls: turn.calls.map((call) => ({ ...call, id: idOf(call) })) };
}

function turnMessages(
  { text, calls }: StepEnded,
  results: ReadonlyMap<string, CallSettled>,
  cleared: ReadonlySet<string>,
): readonly ModelMessage[] {
  const made: MessageCall[] = calls.map(({ id, tool, args, rawArgs, terminate, signature }) => ({
    id,
    name: tool,
    args: args === undefined ? asJson(rawArgs) : JSON.stringify(terminate ? { ...args, terminate } : args),
    ...(signature !== undefined && { signature }),
  }));
  const answers = calls.map(({ callId, id, tool }): ModelMessage => {
    const content = cleared.has(callId) ? CLEARED : (results.get(callId)?.model ?? NO_RESULT);
    return { role: "tool", callId: id, tool, content };
  });
  return [{ role: "assistant", text, calls: made }, ...answers];
}

/** Servers reject arguments that are not JSON, so invalid ones are quoted. */
function asJson(rawArgs: string): string {
  return JSON.stringify({ not_json: rawArgs.slice(0, MAX_QUOTED) });
}

const MAX_QUOTED = 2_000;
const CLEARED: readonly Content[] = [
  { type: "text", text: "[old result cleared; repeat the call if it is needed again]" },
];
const NO_RESULT: readonly Content[] = [{ type: "text", text: "[no result]" }];

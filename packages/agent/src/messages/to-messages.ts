import type { Content } from "@haft/core";
import type { CallSettled, DurableEvent, StepEnded } from "../event/run-event.js";
import type { MessageCall, ModelMessage } from "../model/model-client.js";

/**
 * What a model is sent: a projection of the events, never a copy that is kept. Every call stands with
 * exactly one result, in the model's order, right behind the turn that made it; what a user said
 * meanwhile follows.
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
  for (const event of inConversationOrder(events)) {
    if (event.type === "message.user") messages.push({ role: "user", text: event.text });
    else messages.push(...turnMessages(event, results, cleared));
  }
  if (options.instruction !== undefined) messages.push({ role: "user", text: options.instruction });
  return messages;
}

export interface MessageOptions {
  readonly system?: string;
  /** Said last, for this one turn. */
  readonly instruction?: string;
}

type Said = Extract<DurableEvent, { readonly type: "message.user" | "step.ended" }>;

/** A user may speak while a model thinks: the turn that had not heard it stands before it. */
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

function turnMessages(
  { text, calls }: StepEnded,
  results: ReadonlyMap<string, CallSettled>,
  cleared: ReadonlySet<string>,
): readonly ModelMessage[] {
  const made: MessageCall[] = calls.map(({ id, tool, args, rawArgs, terminate }) => ({
    id,
    name: tool,
    args: args === undefined ? asJson(rawArgs) : JSON.stringify(terminate ? { ...args, terminate } : args),
  }));
  const answers = calls.map(({ callId, id, tool }): ModelMessage => {
    const content = cleared.has(callId) ? CLEARED : (results.get(callId)?.model ?? NO_RESULT);
    return { role: "tool", callId: id, tool, content };
  });
  return [{ role: "assistant", text, calls: made }, ...answers];
}

/** Servers refuse a history whose arguments are no JSON, so what a model got wrong is quoted. */
function asJson(rawArgs: string): string {
  return JSON.stringify({ not_json: rawArgs.slice(0, MAX_QUOTED) });
}

const MAX_QUOTED = 2_000;
const CLEARED: readonly Content[] = [
  { type: "text", text: "[old result cleared; repeat the call if it is needed again]" },
];
const NO_RESULT: readonly Content[] = [{ type: "text", text: "[no result]" }];

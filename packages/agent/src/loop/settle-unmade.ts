import { messageOf } from "@haft/core";
import { feedbackText } from "@haft/core/kernel";
import type { CallSettled } from "../event/run-event.js";
import type { CallState } from "../state/run-state.js";
import type { AgentRuntime, JournalledCall } from "./agent-runtime.js";
import type { Verdict } from "./decide.js";

/** Returns the result of a call that is not executed: code, cause, current state and next step. */
export async function settleUnmade(
  call: CallState,
  { outcome, code }: Verdict,
  runtime: AgentRuntime,
): Promise<CallSettled> {
  if (code === "UNKNOWN_OUTCOME") return unknownOutcome(call, runtime);
  const text = code === "APPROVAL_DENIED" ? deniedText(call) : TEXTS[code];
  return settled(call, { outcome, code, text: `${code}: ${text}` });
}

export function settleCancelled(call: CallState): CallSettled {
  const text = "CANCELLED: The run was stopped before this call started. Nothing was executed.";
  return settled(call, { outcome: "cancelled", code: "CANCELLED", text });
}

/**
 * Returns the result of a call that was running when its process died, stating what is known, and why its result could
 * not be read.
 */
export async function unknownOutcome(
  call: CallState,
  runtime: AgentRuntime,
  cause?: unknown,
): Promise<CallSettled> {
  const text = [
    `UNKNOWN_OUTCOME: ${call.tool} was running when its process died; whether it finished is unknown.`,
    cause === undefined ? "" : `Its result could not be read: ${messageOf(cause)}.`,
    await journalled(call, runtime),
    "It was not repeated. Check its effects before you repeat it.",
  ];
  return settled(call, {
    outcome: "unknown",
    code: "UNKNOWN_OUTCOME",
    text: text.filter((line) => line !== "").join("\n"),
  });
}

/** Returns the result of a cancelled call that does not stop. */
export function settleUnanswered(call: CallState): CallSettled {
  const text = `UNKNOWN_OUTCOME: ${call.tool} was cancelled but did not stop.`;
  return settled(call, { outcome: "unknown", code: "UNKNOWN_OUTCOME", text });
}

/** Returns whether the file changes of a call have been applied, in this process or another. */
export async function isApplied({ callId }: CallState, runtime: AgentRuntime): Promise<boolean> {
  return appliedBy(callId, await recordsOf(runtime)) !== undefined;
}

async function journalled({ callId }: CallState, runtime: AgentRuntime): Promise<string> {
  const records = await recordsOf(runtime);
  if (records === undefined) return "";
  const done = appliedBy(callId, records);
  if (done === undefined) return "The workspace journal contains no completed file change of this call.";
  const changes = done.changes.map(({ kind, path }) => `${kind} ${path}`).join(", ");
  return `The workspace journal records these changes: ${changes}.`;
}

/** Returns undefined if there is no journal or it cannot be read. */
async function recordsOf(runtime: AgentRuntime): Promise<readonly JournalledCall[] | undefined> {
  return runtime.changes?.().catch(() => undefined);
}

function appliedBy(callId: string, records: readonly JournalledCall[] = []): JournalledCall | undefined {
  return records.findLast((record) => record.callId === callId && record.state === "done");
}

function deniedText({ tool, feedback }: CallState): string {
  return `The user did not approve ${tool}${feedbackText(feedback)}\nNothing was done. Do not retry the same call.`;
}

const TEXTS = {
  LOOP_DETECTED:
    "This call was repeated several times with the same result, so it was not executed again.\nUse the earlier result, change the arguments, or try something else.",
  OUTPUT_CUT_OFF:
    "Your output limit was reached before the arguments of this call were complete, so it was not executed.\nWrite less per turn: one call at a time, and long text in several parts.",
  LIMIT_EXCEEDED: "Too many calls in one turn; this one was not executed.\nMake fewer calls per turn.",
} as const;

function settled(
  { callId, terminate }: CallState,
  { outcome, code, text }: { outcome: CallSettled["outcome"]; code: string; text: string },
): CallSettled {
  return {
    type: "call.settled",
    callId,
    outcome,
    code,
    model: [{ type: "text", text }],
    effects: [],
    ms: 0,
    terminate,
  };
}

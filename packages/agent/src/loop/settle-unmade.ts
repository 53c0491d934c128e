import { feedbackText } from "@haft/core";
import type { CallSettled } from "../event/run-event.js";
import type { CallState } from "../state/run-state.js";
import type { AgentRuntime, JournalledCall } from "./agent-runtime.js";
import type { Verdict } from "./decide.js";

/** The result of a call that is not made, or not made again: code, cause, truth now, what to do. */
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
  const text = "CANCELLED: The run was stopped before this call was made. Nothing was done.";
  return settled(call, { outcome: "cancelled", code: "CANCELLED", text });
}

/** A call that had begun when its process died: honest about what is known, and about what is not. */
export async function unknownOutcome(call: CallState, runtime: AgentRuntime): Promise<CallSettled> {
  const text = [
    `UNKNOWN_OUTCOME: ${call.tool} had begun when its process died; whether it was finished is not known.`,
    await journalled(call, runtime),
    "It was not run again. Check what it has done before you repeat it.",
  ];
  return settled(call, {
    outcome: "unknown",
    code: "UNKNOWN_OUTCOME",
    text: text.filter((line) => line !== "").join("\n"),
  });
}

/** A call that was told to stop and does not answer. */
export function settleUnanswered(call: CallState): CallSettled {
  const text = `UNKNOWN_OUTCOME: ${call.tool} was told to stop and has not answered.`;
  return settled(call, { outcome: "unknown", code: "UNKNOWN_OUTCOME", text });
}

/** Whether the file changes of a call were made already, in this process or another. */
export async function isApplied({ callId }: CallState, runtime: AgentRuntime): Promise<boolean> {
  return appliedBy(callId, await recordsOf(runtime)) !== undefined;
}

async function journalled({ callId }: CallState, runtime: AgentRuntime): Promise<string> {
  const records = await recordsOf(runtime);
  if (records === undefined) return "";
  const done = appliedBy(callId, records);
  if (done === undefined) return "The journal of the workspace shows no finished file change of it.";
  const changes = done.changes.map(({ kind, path }) => `${kind} ${path}`).join(", ");
  return `The journal of the workspace shows that it did ${changes}.`;
}

/** Undefined where there is no such journal, or it cannot be read: then nothing is known. */
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
    "This call was made before with the same result, again and again. It was not made this time.\nUse what it returned, change the arguments, or do something else.",
  LIMIT_EXCEEDED: "Too many calls in one turn; this one was not made.\nMake fewer calls at a time.",
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

import { type ChangeSummary, messageOf, type ToolResult } from "@haft/core";
import { truncateText } from "@haft/text";
import type { RunLimits } from "../event/limits.js";
import type { CallOutcome, CallSettled } from "../event/run-event.js";
import { boundContent } from "../messages/bound-content.js";
import type { CallState } from "../state/run-state.js";
import type { AgentRuntime, SeenFiles } from "./agent-runtime.js";
import { isApplied, unknownOutcome } from "./settle-unmade.js";

export interface Making {
  readonly runtime: AgentRuntime;
  readonly limits: RunLimits;
  readonly signal: AbortSignal;
  /** What the model saw before this process took the run up. */
  readonly alreadySeen: SeenFiles;
}

/** Makes a call through the runtime, which validates, polices, asks, locks and writes. Never rejects. */
export async function makeCall(call: CallState, making: Making): Promise<CallSettled> {
  const { runtime, signal, alreadySeen, limits } = making;
  const { callId, tool, terminate } = call;
  const startedAt = performance.now();
  try {
    // Asked about before a restart: whoever answered since may have had it made.
    if (call.approval !== undefined && (await isApplied(call, runtime)))
      return await unknownOutcome(call, runtime);
    const args = call.args ?? call.rawArgs;
    const seen = alreadySeen.length > 0 ? { alreadySeen } : {};
    const result = await runtime.call(tool, args, { callId, signal, terminate, ...seen });
    if (wasMadeBefore(call, result)) return await unknownOutcome(call, runtime);
    return settlement(callId, result, limits);
  } catch (thrown) {
    const text = `EXECUTION_ERROR: ${messageOf(thrown)}`;
    return {
      type: "call.settled",
      callId,
      outcome: "error",
      code: "EXECUTION_ERROR",
      model: [{ type: "text", text }],
      effects: [],
      ms: Math.round(performance.now() - startedAt),
      terminate,
    };
  }
}

/** A call that is made again finds its own changes: it had its effect before the restart. */
function wasMadeBefore(call: CallState, result: ToolResult): boolean {
  return call.attempts > 0 && !result.ok && result.error.code === "CALL_ID_CONFLICT";
}

function settlement(callId: string, result: ToolResult, limits: RunLimits): CallSettled {
  const content = result.ok ? result.content : [{ type: "text" as const, text: result.text }];
  return {
    type: "call.settled",
    callId,
    outcome: outcomeOf(result),
    ...(!result.ok && { code: result.error.code }),
    model: boundContent(content, limits),
    effects: result.ok && !result.preview ? result.changes.map((change) => bounded(change, limits)) : [],
    ms: Math.round(result.durationMs),
    terminate: result.terminate,
  };
}

function outcomeOf(result: ToolResult): CallOutcome {
  if (result.ok) return "ok";
  const { code } = result.error;
  if (code === "CANCELLED") return "cancelled";
  return DENIALS.has(code) ? "denied" : "error";
}

const DENIALS: ReadonlySet<string> = new Set(["APPROVAL_DENIED", "APPROVAL_TIMEOUT"]);

function bounded({ diff, ...change }: ChangeSummary, { resultChars }: RunLimits): ChangeSummary {
  if (diff === undefined) return change;
  return { ...change, diff: truncateText(diff, { maxChars: resultChars }).text };
}

import { type ChangeSummary, messageOf, ToolError, type ToolResult } from "@haft/core";
import { truncateText } from "@haft/text";
import type { RunLimits } from "../event/limits.js";
import type { CallOutcome, CallSettled } from "../event/run-event.js";
import { boundContent } from "../messages/bound-content.js";
import { FIND_TOOLS } from "../offer/find-tools.js";
import type { CallState } from "../state/run-state.js";
import type { AgentRuntime, SeenFiles } from "./agent-runtime.js";
import { backOffMs } from "./back-off.js";
import { pause } from "./pause.js";
import { isApplied, unknownOutcome } from "./settle-unmade.js";

export interface CallContext {
  readonly runtime: AgentRuntime;
  readonly limits: RunLimits;
  readonly signal: AbortSignal;
  /** Files the model saw before this process resumed the run. */
  readonly alreadySeen: SeenFiles;
  /** Resolves once the start of the call is stored. */
  beforeStart(): Promise<void> | undefined;
}

/** Executes a call through the runtime, which validates, decides, asks, locks and writes. Never rejects. */
export async function makeCall(call: CallState, context: CallContext): Promise<CallSettled> {
  const { runtime, signal, alreadySeen, limits, beforeStart } = context;
  const { callId, tool, terminate } = call;
  const startedAt = performance.now();
  try {
    // An approval from before a restart may have been answered and executed elsewhere since.
    if (call.approval !== undefined && (await isApplied(call, runtime)))
      return await unknownOutcome(call, runtime);
    const args = call.args ?? call.rawArgs;
    const seen = alreadySeen.length > 0 ? { alreadySeen } : {};
    const result = await runtime.call(tool, args, { callId, signal, terminate, beforeStart, ...seen });
    if (tookEffectBefore(call, result)) return await unknownOutcome(call, runtime);
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

/** Settles a call that was running when its process died: with its result if the runtime knows it, otherwise as unknown. */
export async function recoverCall(
  call: CallState,
  { runtime, limits, signal }: Pick<CallContext, "runtime" | "limits" | "signal">,
): Promise<CallSettled> {
  for (let attempt = 2; ; attempt += 1)
    try {
      const result = await runtime.resultOf?.(call.callId, signal);
      return result === undefined
        ? await unknownOutcome(call, runtime)
        : settlement(call.callId, result, limits);
    } catch (cause) {
      // The result exists, so it is worth waiting for until the run is stopped or has used up its time.
      if (!ToolError.is(cause) || cause.code !== "STORE_UNAVAILABLE" || signal.aborted)
        return unknownOutcome(call, runtime, cause);
      await pause(backOffMs(attempt, {}), signal);
    }
}

/** A repeated call that conflicts with its own changes had its effect before the restart. */
function tookEffectBefore(call: CallState, result: ToolResult): boolean {
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
    ...exitCodeOf(result),
    ms: Math.round(result.durationMs),
    terminate: result.terminate,
    ...offersOf(result),
  };
}

function exitCodeOf(result: ToolResult): Pick<CallSettled, "exitCode"> {
  const exitCode = result.ok ? (result.value as { readonly exitCode?: unknown } | null)?.exitCode : undefined;
  return typeof exitCode === "number" ? { exitCode } : {};
}

function offersOf(result: ToolResult): Pick<CallSettled, "offers"> {
  if (!result.ok || result.tool !== FIND_TOOLS) return {};
  const { offers } = result.value as { readonly offers: readonly string[] };
  return { offers };
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

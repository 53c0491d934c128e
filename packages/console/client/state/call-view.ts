import { endOfOutput, type RunEvent } from "@haft/agent";
import type { ApprovalRequest, ChangeSummary, Content } from "@haft/core";

export type CallLook = "proposed" | "waiting" | "running" | "ok" | "failed" | "denied" | "unknown";

export interface CallView {
  readonly callId: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly rawArgs: string;
  readonly look: CallLook;
  readonly approval?: ApprovalRequest;
  readonly decidedBy?: string;
  readonly changedArgs?: unknown;
  readonly proposedAt: string;
  /** The periods in which it waited for a person. A call may ask before its start, after it, and more than once. */
  readonly waits: readonly Wait[];
  readonly startedAt?: string;
  readonly settledAt?: string;
  readonly ms?: number;
  readonly code?: string;
  /** The exit code of a finished command. */
  readonly exitCode?: number;
  readonly content?: readonly Content[];
  readonly effects: readonly ChangeSummary[];
  /** The tail of its output so far. */
  readonly output: string;
}

interface Wait {
  readonly from: string;
  /** Undefined while the call waits. */
  readonly to?: string;
}

/** Applies an event to the view of a call. */
export function callAfter(call: CallView, event: RunEvent): CallView {
  return { ...call, ...newsOf(event, call) };
}

function newsOf(event: RunEvent, call: CallView): Partial<CallView> {
  switch (event.type) {
    case "approval.requested":
      return {
        look: "waiting",
        approval: event.approval,
        waits: [...ended(call.waits, event.at), { from: event.at }],
      };
    case "approval.decided":
      return {
        look: event.answer.approved ? "running" : "denied",
        decidedBy: event.by,
        waits: ended(call.waits, event.at),
        ...(event.answer.modifiedArgs !== undefined && { changedArgs: event.answer.modifiedArgs }),
      };
    case "call.started":
      return { look: "running", startedAt: event.at };
    case "call.progress":
      return { look: "running", output: endOfOutput(call.output + event.progress.message) };
    case "call.settled":
      return {
        look: (event.exitCode ?? 0) === 0 ? LOOKS[event.outcome] : "failed",
        settledAt: event.at,
        waits: ended(call.waits, event.at),
        ms: event.ms,
        content: event.model,
        effects: event.effects,
        ...(event.printed !== undefined && { output: event.printed }),
        ...(event.code !== undefined && { code: event.code }),
        ...(event.exitCode !== undefined && { exitCode: event.exitCode }),
      };
    default:
      return {};
  }
}

function ended(waits: readonly Wait[], at: string): readonly Wait[] {
  return waits.map((wait) => ({ to: at, ...wait }));
}

const LOOKS = {
  ok: "ok",
  error: "failed",
  denied: "denied",
  cancelled: "denied",
  unknown: "unknown",
} as const;

// Writes journals like a run, with times that a test chooses.
import type { DurableBody, DurableEvent, ProposedCall } from "@haft/agent";
import type { ChangeSummary } from "@haft/core";

export interface Settled {
  readonly text?: string;
  readonly ms?: number;
  readonly outcome?: "ok" | "error" | "denied" | "cancelled" | "unknown";
  readonly code?: string;
  readonly exitCode?: number;
  readonly effects?: readonly ChangeSummary[];
}

/** Writes the events of one run, each at the writer's current time. */
export class JournalWriter {
  readonly events: DurableEvent[] = [];
  readonly runId: string;
  #at: number;
  #step = 0;

  constructor(runId: string, startedAt: string) {
    this.runId = runId;
    this.#at = Date.parse(startedAt);
  }

  after(ms: number): this {
    this.#at += ms;
    return this;
  }

  add(body: DurableBody): this {
    const seq = this.events.length + 1;
    this.events.push({ v: 1, runId: this.runId, seq, at: new Date(this.#at).toISOString(), ...body });
    return this;
  }

  started(task: string, role = "coder"): this {
    const limits = { maxSteps: 60 } as never;
    this.add({ type: "run.started", role, workspace: "/w", tools: [], limits, summary: "none" });
    return this.said(task);
  }

  said(text: string): this {
    return this.add({ type: "message.user", id: `m${this.events.length}`, text });
  }

  /** One turn of the model. Returns the ids of its calls. */
  turn(
    text: string,
    calls: readonly (readonly [tool: string, args: Record<string, unknown>])[],
    read = 3_000,
  ) {
    const step = ++this.#step;
    const proposed = calls.map(([tool, args], index) => ({
      callId: `${this.runId}:${step}:${index}`,
      id: `c${step}${index}`,
      index,
      tool,
      rawArgs: JSON.stringify(args),
      args,
      terminate: false,
      idempotent: true,
      access: "read",
    })) satisfies ProposedCall[];
    this.add({
      type: "step.ended",
      step,
      heardSeq: this.events.length,
      text,
      calls: proposed,
      finish: calls.length > 0 ? "tool_calls" : "stop",
      usage: { inputTokens: read, outputTokens: 120 + 40 * step },
    });
    return proposed.map(({ callId }) => callId);
  }

  starts(callId: string): this {
    return this.add({ type: "call.started", callId, attempt: 1 });
  }

  settles(callId: string, { text = "", ms = 12, outcome = "ok", effects = [], ...rest }: Settled = {}): this {
    this.after(ms);
    const model = text === "" ? [] : [{ type: "text" as const, text }];
    return this.add({ type: "call.settled", callId, outcome, model, effects, ms, terminate: false, ...rest });
  }

  ends(summary: string): this {
    return this.add({ type: "run.ended", reason: "end_turn", summary });
  }
}

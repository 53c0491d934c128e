import type { RunEvent } from "@haft/agent";

type ProgressEvent = Extract<RunEvent, { readonly type: "call.progress" }>;
type DeltaEvent = Extract<RunEvent, { readonly type: "text.delta" }>;

/**
 * Keeps what is under way and not in a journal yet: the end of what running calls printed, and the text of open turns.
 */
export class LiveTail {
  /** By call id. */
  readonly #printed = new Map<string, ProgressEvent>();
  /** By run id. */
  readonly #said = new Map<string, DeltaEvent>();

  hear(event: RunEvent): void {
    switch (event.type) {
      case "step.started":
        this.#said.set(event.runId, { ...event, type: "text.delta", delta: "" });
        return;
      case "text.delta":
        this.#said.set(event.runId, { ...event, delta: this.#saidIn(event) + event.delta });
        return;
      case "step.ended":
      case "step.failed":
        this.#said.delete(event.runId);
        return;
      case "call.progress":
        this.#printed.set(event.callId, this.#withOutputOf(event));
        return;
      case "call.settled":
        this.#printed.delete(event.callId);
    }
  }

  /** Events that each carry all there is so far, for a page that has just connected. */
  of(runId: string): readonly RunEvent[] {
    const said = this.#said.get(runId);
    const printed = [...this.#printed.values()].filter((event) => event.runId === runId);
    return said === undefined ? printed : [said, ...printed];
  }

  forget(runId: string): void {
    this.#said.delete(runId);
    for (const { callId } of this.#printed.values())
      if (callId.startsWith(`${runId}:`)) this.#printed.delete(callId);
  }

  #saidIn({ runId, step }: DeltaEvent): string {
    const before = this.#said.get(runId);
    return before?.step === step ? before.delta : "";
  }

  #withOutputOf(event: ProgressEvent): ProgressEvent {
    const before = this.#printed.get(event.callId)?.progress.message ?? "";
    const message = `${before}${event.progress.message}`.slice(-MAX_PRINTED);
    return { ...event, progress: { ...event.progress, message } };
  }
}

const MAX_PRINTED = 32 * 1024;

import type { DurableEvent } from "@haft/agent";
import { batch, computed, signal } from "@preact/signals";
import { duration } from "../parts/duration.js";
import type { RunView } from "../state/run-view.js";

/** The position of a replay in one run. Follows the end of the run until it is moved. */
export class Playback {
  readonly run: RunView;
  readonly isPlaying = signal(false);
  readonly #chosen = signal<number | undefined>(undefined);

  constructor(run: RunView) {
    this.run = run;
  }

  readonly last = computed(() => this.run.state.value.lastSeq);
  /** The number of the last event that the replay shows. */
  readonly at = computed(() => Math.min(this.#chosen.value ?? this.last.value, this.last.value));
  readonly isMoved = computed(() => this.#chosen.value !== undefined);

  moveTo(seq: number): void {
    this.#chosen.value = Math.max(1, Math.min(this.last.peek(), seq));
    if (this.#chosen.peek() === this.last.peek()) this.isPlaying.value = false;
  }

  moveBy(events: number): void {
    this.moveTo(this.at.peek() + events);
  }

  /** Moves to the event that settled a call, or to the last one about it. */
  moveToCall(callId: string): void {
    const last = this.run.log.findLast((event) => "callId" in event && event.callId === callId);
    const made = this.run.log.find(
      (event) => event.type === "step.ended" && event.calls.some((call) => call.callId === callId),
    );
    this.moveTo((last ?? made)?.seq ?? this.at.peek());
  }

  togglePlaying(): void {
    batch(() => {
      if (!this.isPlaying.value && this.at.value === this.last.value) this.#chosen.value = 1;
      this.isPlaying.value = !this.isPlaying.value;
    });
  }

  /** Describes the event in one line. */
  get words(): string {
    const event = this.run.log[this.at.value - 1];
    const [first] = this.run.log;
    if (event === undefined || first === undefined) return "No events yet";
    const after = duration(Date.parse(event.at) - Date.parse(first.at));
    return `Event ${this.at.value} of ${this.run.log.length}, after ${after}: ${wordsFor(event, this.run)}`;
  }
}

function wordsFor(event: DurableEvent, run: RunView): string {
  const tool = "callId" in event ? (run.calls.get(event.callId)?.peek().tool ?? "a call") : "";
  switch (event.type) {
    case "message.user":
      return "you wrote";
    case "step.ended":
      return event.calls.length === 0
        ? "the model answered"
        : `the model called ${event.calls.map((call) => call.tool).join(", ")}`;
    case "approval.requested":
      return `${tool} waits for you`;
    case "approval.decided":
      return `${tool} was ${event.answer.approved ? "allowed" : "denied"} by ${event.by}`;
    case "call.started":
      return `${tool} started`;
    case "call.settled":
      return `${tool} ended: ${event.outcome}`;
    default:
      return event.type.replace(".", " ");
  }
}

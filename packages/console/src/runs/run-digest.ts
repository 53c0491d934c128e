import { changedPaths, type DurableEvent, evolve, INITIAL_STATE, type RunState } from "@haft/agent";
import type { RunSummary } from "../protocol.js";

/** Summarizes one run for the list of runs, and keeps its words for search. Updated event by event. */
export class RunDigest {
  readonly runId: string;
  readonly #paths = new Set<string>();
  readonly #texts: string[] = [];
  #textLength = 0;
  #state: RunState = INITIAL_STATE;
  #task = "";
  #startedAt: string | undefined;
  #settled = 0;
  #failed = 0;

  constructor(runId: string) {
    this.runId = runId;
  }

  get lastSeq(): number {
    return this.#state.lastSeq;
  }

  get lastAt(): string {
    return this.#state.lastAt;
  }

  get isOver(): boolean {
    return this.#state.status === "done";
  }

  /** Known events change nothing. */
  add(event: DurableEvent): void {
    if (event.seq <= this.#state.lastSeq) return;
    this.#state = evolve(this.#state, event);
    this.#startedAt ??= event.at;
    this.#remember(textIn(event));
    if (event.type === "message.user" && this.#task === "") this.#task = event.text.slice(0, 400);
    if (event.type !== "call.settled") return;
    this.#settled++;
    if (event.outcome === "error" || (event.exitCode ?? 0) !== 0) this.#failed++;
    for (const { path } of event.effects) this.#paths.add(path);
  }

  /** Returns whether every word occurs in the messages, calls or results. The words must be lower case. */
  mentions(words: readonly string[]): boolean {
    return words.every((word) => this.#texts.some((text) => text.includes(word)));
  }

  #remember(text: string): void {
    if (text === "" || this.#textLength > MAX_TEXT) return;
    const kept = text.slice(0, MAX_TEXT_PER_EVENT).toLowerCase();
    this.#textLength += kept.length;
    this.#texts.push(kept);
  }

  /** Undefined before the first event. */
  summary(isDrivenHere: boolean): RunSummary | undefined {
    if (this.#startedAt === undefined) return undefined;
    const { status, ended, step, calls, lastAt } = this.#state;
    return {
      runId: this.runId,
      task: this.#task,
      startedAt: this.#startedAt,
      lastAt,
      status,
      ...(ended !== undefined && { reason: ended.reason }),
      step,
      calls: this.#settled + calls.filter((call) => call.status !== "settled").length,
      failed: this.#failed,
      files: changedPaths(this.#paths).length,
      waiting: calls.filter((call) => call.status === "awaiting").length,
      isDrivenHere,
    };
  }
}

const MAX_TEXT = 64 * 1024;
const MAX_TEXT_PER_EVENT = 4 * 1024;

function textIn(event: DurableEvent): string {
  if (event.type === "message.user") return event.text;
  if (event.type === "step.ended")
    return [event.text, ...event.calls.map(({ tool, rawArgs }) => `${tool} ${rawArgs}`)].join("\n");
  if (event.type !== "call.settled") return "";
  const shown = event.model.flatMap((part) => (part.type === "text" ? [part.text] : []));
  return [...event.effects.map(({ path }) => path), ...shown].join("\n");
}

import {
  type DurableEvent,
  type EndReason,
  evolve,
  INITIAL_STATE,
  isDurable,
  type RunEvent,
  type RunState,
  type Usage,
} from "@haft/agent";
import type { ChangeSummary } from "@haft/core";
import { computed, type Signal, signal } from "@preact/signals";
import { type CallView, callAfter } from "./call-view.js";
import { NOTHING_YET, totalOf } from "./run-totals.js";

export type Entry =
  | { readonly kind: "said"; readonly key: string; readonly text: string; readonly at: string }
  | StepEntry
  | { readonly kind: "retry"; readonly key: string; readonly text: string; readonly at: string }
  | EndEntry;

export interface StepEntry {
  readonly kind: "step";
  readonly key: string;
  readonly step: number;
  readonly at: string;
  readonly text: Signal<string>;
  readonly calls: Signal<readonly Signal<CallView>[]>;
  readonly isWriting: Signal<boolean>;
  readonly usage: Signal<Usage | undefined>;
}

export interface EndEntry {
  readonly kind: "end";
  readonly key: string;
  readonly reason: EndReason;
  readonly summary: string;
  readonly problem?: string;
  readonly at: string;
  /** Since the run was started or continued. */
  readonly activeMs: number;
  readonly calls: number;
  readonly effects: readonly (ChangeSummary & { readonly callId: string })[];
}

/** One run as shown on a page: the common fold over its events, and the entries to display in order. */
export class RunView {
  readonly runId: string;
  readonly state = signal<RunState>(INITIAL_STATE);
  readonly entries = signal<readonly Entry[]>([]);
  readonly tokens = signal(0);
  readonly #before = signal(NOTHING_YET);
  readonly isReplayed = signal(false);
  readonly log: DurableEvent[] = [];
  readonly calls = new Map<string, Signal<CallView>>();
  /** Cards that the reader opened or folded, by call. */
  readonly #folds = new Map<string, Signal<boolean | undefined>>();
  #printed: string[] = [];
  #step: StepEntry | undefined;
  #sinceEnd = 0;
  #pendingEntries: Entry[] | undefined;

  /** A replay: approvals and undo are disabled. */
  readonly isReplay: boolean;

  constructor(runId: string, { isReplay = false } = {}) {
    this.runId = runId;
    this.isReplay = isReplay;
  }

  /** The totals of the whole run, however often it was continued. */
  readonly totals = computed(() => totalOf(this.#before.value, this.state.value));

  /** `isWhole` marks an event that carries all there is so far instead of what is new. */
  hear(event: RunEvent, isWhole = false): void {
    if (isWhole) this.#startOver(event);
    if (isDurable(event)) {
      if (event.seq <= this.state.peek().lastSeq) return;
      this.log.push(event);
      if (event.type === "run.reopened") this.#before.value = this.totals.peek();
      this.state.value = evolve(this.state.peek(), event);
    }
    this.#show(event);
  }

  /** Adds many events at once; the page renders once at the end. */
  batch(work: () => void): void {
    this.#pendingEntries = [...this.entries.peek()];
    try {
      work();
    } finally {
      this.entries.value = this.#pendingEntries;
      this.#pendingEntries = undefined;
    }
  }

  #show(event: RunEvent): void {
    if (event.type === "step.started") this.#openStep(event.step, event.at);
    else if (event.type === "text.delta") this.#openStep(event.step, event.at).text.value += event.delta;
    else if (event.type === "step.ended") this.#stepEnded(event);
    else if (event.type === "run.ended") this.#ended(event);
    else if (event.type === "message.user")
      this.#add({ kind: "said", key: `said-${event.seq}`, text: event.text, at: event.at });
    else if (event.type === "step.failed") {
      const text = event.error.message + (event.willRetry ? " Trying again." : "");
      this.#add({ kind: "retry", key: `retry-${event.seq}`, text, at: event.at });
    } else this.#call(event);
  }

  /** Drops what a page that lost its stream has heard of an open turn or a running call. */
  #startOver(event: RunEvent): void {
    if (event.type === "text.delta") this.#openStep(event.step, event.at).text.value = "";
    if (event.type !== "call.progress") return;
    const call = this.calls.get(event.callId);
    if (call !== undefined) call.value = { ...call.peek(), output: "" };
  }

  #stepEnded(event: Extract<RunEvent, { type: "step.ended" }>): void {
    const step = this.#openStep(event.step, event.at);
    step.text.value = event.text;
    step.isWriting.value = false;
    step.usage.value = event.usage;
    this.tokens.value += (event.usage?.inputTokens ?? 0) + (event.usage?.outputTokens ?? 0);
    step.calls.value = event.calls.map(({ callId, tool, args = {}, rawArgs }) => {
      const call = signal<CallView>({
        callId,
        tool,
        args,
        rawArgs,
        look: "proposed",
        proposedAt: event.at,
        waits: [],
        effects: [],
        output: "",
      });
      this.calls.set(callId, call);
      return call;
    });
    this.#step = undefined;
  }

  #call(event: RunEvent): void {
    if (!("callId" in event)) return;
    const call = this.calls.get(event.callId);
    if (call === undefined) return;
    call.value = callAfter(call.peek(), event);
    if (event.type === "call.settled" && call.peek().output !== "") this.#forgetOldOutput(event.callId);
  }

  /** Drops coloured output of old calls; their results are in the log. */
  #forgetOldOutput(callId: string): void {
    this.#printed.push(callId);
    if (this.#printed.length <= KEPT_OUTPUTS) return;
    const oldest = this.calls.get(this.#printed.shift() ?? "");
    if (oldest !== undefined) oldest.value = { ...oldest.peek(), output: "" };
  }

  /** Whether the card of a call is open; undefined until the reader chooses. */
  foldOf(callId: string): Signal<boolean | undefined> {
    const fold = this.#folds.get(callId) ?? signal<boolean | undefined>(undefined);
    this.#folds.set(callId, fold);
    return fold;
  }

  #ended(event: Extract<RunEvent, { type: "run.ended" }>): void {
    const calls = [...this.calls.values()].slice(this.#sinceEnd).map((each) => each.peek());
    this.#sinceEnd = this.calls.size;
    this.#step = undefined;
    this.#add({
      kind: "end",
      key: `end-${event.seq}`,
      reason: event.reason,
      summary: event.summary,
      at: event.at,
      activeMs: this.state.peek().activeMs,
      calls: calls.length,
      effects: calls.flatMap(({ effects, callId }) => effects.map((effect) => ({ ...effect, callId }))),
      ...(event.error !== undefined && { problem: event.error.message }),
    });
  }

  #openStep(step: number, at: string): StepEntry {
    if (this.#step?.step === step) return this.#step;
    this.#step = {
      kind: "step",
      key: `step-${step}-${at}`,
      step,
      at,
      text: signal(""),
      calls: signal([]),
      isWriting: signal(true),
      usage: signal(undefined),
    };
    this.#add(this.#step);
    return this.#step;
  }

  #add(entry: Entry): void {
    if (this.#pendingEntries !== undefined) this.#pendingEntries.push(entry);
    else this.entries.value = [...this.entries.peek(), entry];
  }
}

const KEPT_OUTPUTS = 40;

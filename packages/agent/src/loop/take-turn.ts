import { messageOf, type ToolDescription } from "@haft/core";
import type { FinishReason, StepEnded, StepFailed, Usage } from "../event/run-event.js";
import { closingInstruction } from "../messages/closing-instruction.js";
import { toMessages } from "../messages/to-messages.js";
import type { ModelClient, ModelDelta, ModelRequest } from "../model/model-client.js";
import { ModelError } from "../model/model-error.js";
import { isUnusable } from "../state/evolve-turn.js";
import type { Command } from "./decide.js";
import { pause } from "./pause.js";
import { proposeCalls, type WrittenCall } from "./propose-calls.js";
import type { RunLog } from "./run-log.js";

export interface Turn extends Extract<Command, { readonly type: "think" }> {
  readonly log: RunLog;
  readonly model: ModelClient;
  readonly system: string;
  /** All tools of the runtime; a model may call one that is not offered. */
  readonly tools: readonly ToolDescription[];
  /** The tools offered to the model. */
  readonly shown: readonly ToolDescription[];
  readonly signal: AbortSignal;
}

/** Makes one attempt at a model turn. Never rejects; an interrupted turn has no effect. */
export async function takeTurn(turn: Turn): Promise<StepEnded | StepFailed> {
  const { log, step, attempt, signal } = turn;
  const heardSeq = log.state.lastSeq;
  log.emit({ type: "step.started", step, attempt });
  const written = new WrittenTurn();
  try {
    let since = performance.now();
    for await (const delta of turn.model.stream(requestOf(turn), signal)) {
      signal.throwIfAborted();
      written.add(delta);
      emitDelta(turn, written, delta);
      if (performance.now() - since < BATCH_MS) continue;
      await pause(0, signal);
      since = performance.now();
    }
    return { ...ended(turn, written), heardSeq };
  } catch (thrown) {
    return { ...failed(turn, thrown), ...(written.usage !== undefined && { usage: written.usage }) };
  }
}

/** Deltas that have arrived already are handled without a pause. Timers, frames and keys wait no longer than this. */
const BATCH_MS = 20;

function requestOf({ log, system, shown: tools, final }: Turn): ModelRequest {
  const instruction = final === undefined ? {} : { instruction: closingInstruction(final) };
  return {
    messages: toMessages(log.events, { system, ...instruction }),
    tools,
    toolChoice: final === undefined ? "auto" : "none",
  };
}

function emitDelta({ log, step }: Turn, written: WrittenTurn, delta: ModelDelta): void {
  if (delta.type === "text") log.emit({ type: "text.delta", step, delta: delta.delta });
  if (delta.type === "reasoning") log.emit({ type: "reasoning.delta", step, delta: delta.delta });
  if (delta.type !== "call") return;
  const { place, tool } = written.placeOf(delta.index);
  log.emit({ type: "args.delta", callId: `${log.runId}:${step}:${place}`, tool, delta: delta.args });
}

function ended({ log, step, tools, final }: Turn, written: WrittenTurn): Omit<StepEnded, "heardSeq"> {
  const { text, reasoning, usage } = written;
  const calls = proposeCalls(written.calls, { runId: log.runId, step, tools, finish: written.finish });
  if (final === undefined && written.isEmpty) throw emptyAnswer();
  return {
    type: "step.ended",
    step,
    text,
    ...(reasoning !== "" && { reasoning }),
    calls: final === undefined ? calls : [],
    finish: written.finish,
    ...(usage !== undefined && { usage }),
    ...(final !== undefined && calls.length > 0 && { ignoredCalls: calls.length }),
  };
}

/** A closing turn may be empty; any other would end the run without an answer. */
function emptyAnswer(): ModelError {
  return new ModelError("EMPTY_ANSWER", "The model returned neither text nor calls", {
    retryable: true,
  });
}

function failed({ step, attempt, log }: Turn, thrown: unknown): StepFailed {
  const isKnown = ModelError.is(thrown);
  const code = isKnown ? thrown.code : "MODEL_FAILED";
  const retryAfterMs = isKnown ? thrown.retryAfterMs : undefined;
  const leftMs = retryTimeLeft(log.state);
  const maxWaitMs = Math.max(leftMs, MAX_WAIT_MS);
  const isTooLong = (retryAfterMs ?? 0) > maxWaitMs;
  const message = messageOf(thrown).slice(0, MAX_MESSAGE);
  const retryable = isKnown && thrown.retryable && !isTooLong;
  return {
    type: "step.failed",
    step,
    attempt,
    error: { code, message: isTooLong ? `${message}; ${tooLong(retryAfterMs, maxWaitMs)}` : message },
    retryable,
    willRetry: retryable && isWorthRetrying(code, attempt, log.state),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

/** Retries a failing server over time, and unusable answers only a few times. */
function isWorthRetrying(code: string, attempt: number, state: RunLog["state"]): boolean {
  if (isUnusable(code)) return state.unusable + 1 < MIN_ATTEMPTS;
  return attempt < MIN_ATTEMPTS || retryTimeLeft(state) > 0;
}

/** Returns the remaining retry time, counted from the first failure of this turn. */
function retryTimeLeft({ failingSince, limits }: RunLog["state"]): number {
  const passedMs = failingSince === undefined ? 0 : Date.now() - Date.parse(failingSince);
  return limits.retryMs - passedMs;
}

function tooLong(retryAfterMs = 0, maxWaitMs: number): string {
  return `the server asks for a delay of ${Math.ceil(retryAfterMs / 1000)} s, but this run waits at most ${Math.floor(maxWaitMs / 1000)} s`;
}

/** Attempts that are made even without retry time. */
const MIN_ATTEMPTS = 3;
/** The longest delay a server may request without retry time. */
const MAX_WAIT_MS = 60_000;

const MAX_MESSAGE = 2_000;

/** Accumulates the deltas of one stream. */
class WrittenTurn {
  text = "";
  reasoning = "";
  usage: Usage | undefined;
  readonly #calls = new Map<number, WrittenParts>();
  #finish: FinishReason | undefined;
  #size = 0;

  add(delta: ModelDelta): void {
    if (delta.type === "usage") this.usage = delta.usage;
    else if (delta.type === "finish") this.#finish = delta.reason;
    else if (delta.type === "call") this.#addCall(delta);
    else this[delta.type] += delta.delta;
    this.#size += "delta" in delta ? delta.delta.length : "args" in delta ? delta.args.length : 0;
    if (this.#size <= MAX_CHARS && this.#calls.size <= MAX_CALLS) return;
    throw new ModelError("MODEL_OUTPUT_TOO_LARGE", "The model's output for one turn exceeds the limit", {
      retryable: false,
    });
  }

  /** In the order of the stream. */
  get calls(): readonly WrittenCall[] {
    return [...this.#calls.values()];
  }

  /** A stream is complete only if it says so. */
  get finish(): FinishReason {
    if (this.#finish !== undefined) return this.#finish;
    throw new ModelError("STREAM_CUT", "The model's response ended before it was complete", {
      retryable: true,
    });
  }

  /** The stream finished normally without text or calls. */
  get isEmpty(): boolean {
    const hasStopped = this.finish === "stop" || this.finish === "tool_calls";
    return hasStopped && this.text.trim() === "" && this.#calls.size === 0;
  }

  placeOf(index: number): { readonly place: number; readonly tool: string } {
    return { place: [...this.#calls.keys()].indexOf(index), tool: this.#calls.get(index)?.name ?? "" };
  }

  #addCall({ index, id, name, args, signature }: Extract<ModelDelta, { readonly type: "call" }>): void {
    const call: WrittenParts = this.#calls.get(index) ?? { id: "", name: "", args: "" };
    if (call.id === "") call.id = id ?? "";
    if (call.name === "") call.name = name ?? "";
    call.args += args;
    call.signature ??= signature;
    this.#calls.set(index, call);
  }
}

type WrittenParts = { -readonly [Part in keyof WrittenCall]: WrittenCall[Part] };

const MAX_CHARS = 8 * 1024 * 1024;
const MAX_CALLS = 10_000;

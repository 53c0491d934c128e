import { messageOf, type ToolDescription } from "@haft/core";
import type { FinishReason, StepEnded, StepFailed, Usage } from "../event/run-event.js";
import { closingInstruction } from "../messages/closing-instruction.js";
import { toMessages } from "../messages/to-messages.js";
import type { ModelClient, ModelDelta, ModelRequest } from "../model/model-client.js";
import { ModelError } from "../model/model-error.js";
import { MAX_TURN_ATTEMPTS } from "../state/evolve.js";
import type { Command } from "./decide.js";
import { proposeCalls, type WrittenCall } from "./propose-calls.js";
import type { RunLog } from "./run-log.js";

export interface Turn extends Extract<Command, { readonly type: "think" }> {
  readonly log: RunLog;
  readonly model: ModelClient;
  readonly system: string;
  readonly tools: readonly ToolDescription[];
  readonly signal: AbortSignal;
}

/** One attempt at one model turn. Never rejects; a turn that was cut off is as if it had not been. */
export async function takeTurn(turn: Turn): Promise<StepEnded | StepFailed> {
  const { log, step, attempt, signal } = turn;
  const heardSeq = log.state.lastSeq;
  log.tell({ type: "step.started", step, attempt });
  try {
    const written = new WrittenTurn();
    for await (const delta of turn.model.stream(requestOf(turn), signal)) {
      signal.throwIfAborted();
      written.add(delta);
      tellDelta(turn, written, delta);
    }
    return { ...ended(turn, written), heardSeq };
  } catch (thrown) {
    return failed(turn, thrown);
  }
}

function requestOf({ log, system, tools, final }: Turn): ModelRequest {
  const instruction = final === undefined ? {} : { instruction: closingInstruction(final) };
  return {
    messages: toMessages(log.events, { system, ...instruction }),
    tools,
    toolChoice: final === undefined ? "auto" : "none",
  };
}

function tellDelta({ log, step }: Turn, written: WrittenTurn, delta: ModelDelta): void {
  if (delta.type === "text") log.tell({ type: "text.delta", step, delta: delta.delta });
  if (delta.type === "reasoning") log.tell({ type: "reasoning.delta", step, delta: delta.delta });
  if (delta.type !== "call") return;
  const { place, tool } = written.placeOf(delta.index);
  log.tell({ type: "args.delta", callId: `${log.runId}:${step}:${place}`, tool, delta: delta.args });
}

function ended({ log, step, tools, final }: Turn, written: WrittenTurn): Omit<StepEnded, "heardSeq"> {
  const { text, reasoning, usage } = written;
  const calls = proposeCalls(written.calls, { runId: log.runId, step, tools });
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

/** A closing turn may be silent; any other would end the run without a word. */
function emptyAnswer(): ModelError {
  return new ModelError("EMPTY_ANSWER", "The model answered with neither words nor calls", {
    retryable: true,
  });
}

function failed({ step, attempt }: Turn, thrown: unknown): StepFailed {
  const isKnown = ModelError.is(thrown);
  const code = isKnown ? thrown.code : "MODEL_FAILED";
  const retryAfterMs = isKnown ? thrown.retryAfterMs : undefined;
  const isTooLong = (retryAfterMs ?? 0) > MAX_WAIT_MS;
  const message = messageOf(thrown).slice(0, MAX_MESSAGE);
  const retryable = isKnown && thrown.retryable && !isTooLong;
  return {
    type: "step.failed",
    step,
    attempt,
    error: { code, message: isTooLong ? `${message}; ${tooLong(retryAfterMs)}` : message },
    retryable,
    willRetry: retryable && attempt < MAX_TURN_ATTEMPTS,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

function tooLong(retryAfterMs = 0): string {
  return `it asks to be left alone for ${Math.ceil(retryAfterMs / 1000)} s, and a run waits ${MAX_WAIT_MS / 1000} s at most`;
}

/** Whoever is asked to wait for longer is not served by a run that stands still. */
const MAX_WAIT_MS = 60_000;

const MAX_MESSAGE = 2_000;

/** What a stream has brought so far. */
class WrittenTurn {
  text = "";
  reasoning = "";
  usage: Usage | undefined;
  readonly #calls = new Map<number, { id: string; name: string; args: string }>();
  #finish: FinishReason | undefined;
  #size = 0;

  add(delta: ModelDelta): void {
    if (delta.type === "usage") this.usage = delta.usage;
    else if (delta.type === "finish") this.#finish = delta.reason;
    else if (delta.type === "call") this.#addCall(delta);
    else this[delta.type] += delta.delta;
    this.#size += "delta" in delta ? delta.delta.length : "args" in delta ? delta.args.length : 0;
    if (this.#size <= MAX_CHARS && this.#calls.size <= MAX_CALLS) return;
    throw new ModelError("MODEL_OUTPUT_TOO_LARGE", "The model wrote more in one turn than is taken", {
      retryable: false,
    });
  }

  /** In the order the stream brought them. */
  get calls(): readonly WrittenCall[] {
    return [...this.#calls.values()];
  }

  /** Only a stream that says so has come to its end. */
  get finish(): FinishReason {
    if (this.#finish !== undefined) return this.#finish;
    throw new ModelError("STREAM_CUT", "The model's answer broke off before its end", { retryable: true });
  }

  /** It came to its end of itself, and there is nothing in it to say or do. */
  get isEmpty(): boolean {
    const hasStopped = this.finish === "stop" || this.finish === "tool_calls";
    return hasStopped && this.text.trim() === "" && this.#calls.size === 0;
  }

  placeOf(index: number): { readonly place: number; readonly tool: string } {
    return { place: [...this.#calls.keys()].indexOf(index), tool: this.#calls.get(index)?.name ?? "" };
  }

  #addCall({ index, id, name, args }: Extract<ModelDelta, { readonly type: "call" }>): void {
    const call = this.#calls.get(index) ?? { id: "", name: "", args: "" };
    if (call.id === "") call.id = id ?? "";
    if (call.name === "") call.name = name ?? "";
    call.args += args;
    this.#calls.set(index, call);
  }
}

const MAX_CHARS = 8 * 1024 * 1024;
const MAX_CALLS = 10_000;

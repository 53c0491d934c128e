import {
  type CallWrapper,
  type ToolResult,
  type ToolRuntime,
  type WrappedCall,
  wrapRuntime,
} from "@haft/core";
import { canonicalJson } from "@haft/core/kernel";
import { unifiedDiff } from "@haft/text";

/** A recorded call with its value, text, changes and diffs, or its error. */
export interface RecordedCall {
  readonly tool: string;
  readonly args: unknown;
  /** Set if the caller asked for a dry run. */
  readonly dryRun?: true;
  readonly result: ToolResult;
}

export interface Recording<R extends ToolRuntime> {
  /** The recording runtime. Its calls execute as usual. */
  readonly runtime: R;
  /** The calls so far, in order, as JSON that can be stored in a file. */
  readonly calls: readonly RecordedCall[];
}

/** Wraps a runtime so that every call is recorded with its effects. */
export function recordCalls<R extends ToolRuntime>(runtime: R): Recording<R> {
  const calls: RecordedCall[] = [];
  const record: CallWrapper = async (call, next) => {
    const made = madeBy(call);
    const index = calls.push({ ...made, result: PENDING }) - 1;
    const result = await next();
    calls[index] = JSON.parse(JSON.stringify({ ...made, result })) as RecordedCall;
    return result;
  };
  return { runtime: wrapRuntime(runtime, record), calls };
}

export interface Replay<R extends ToolRuntime> {
  /** Answers from the recording. Runs no tool, touches no file and never prompts. */
  readonly runtime: R;
  /** Throws if a call drifted, even if the agent caught its error, or if recorded calls were not made. */
  assertComplete(): void;
}

/** Thrown for a call that differs from the recorded one. The message contains a diff. */
export class DriftError extends Error {
  override readonly name = "DriftError";
}

/**
 * Wraps a runtime so that it replays recorded calls in order, each under the id that its caller gives it. Rejects with
 * a DriftError if the tool or arguments differ. Use a runtime with the same tools, because listings and prompts still
 * come from it.
 */
export function replayCalls<R extends ToolRuntime>(runtime: R, calls: readonly RecordedCall[]): Replay<R> {
  let position = 0;
  let drift: DriftError | undefined;
  const drifted = (message: string) => {
    const error = new DriftError(message);
    drift ??= error;
    return error;
  };
  const replay: CallWrapper = async (call) => {
    const made = madeBy(call);
    const recorded = calls[position];
    position += 1;
    if (recorded === undefined) throw drifted(`call ${position} was not recorded: ${shown(made)}`);
    if (keyOf(made) !== keyOf(recorded))
      throw drifted(`call ${position} differs from the recording\n${difference(recorded, made)}`);
    const { callId = recorded.result.callId } = call.options;
    return { ...structuredClone(recorded.result), callId };
  };
  const assertComplete = () => {
    // An agent library may have given the error to the model as the result of the call.
    if (drift !== undefined) throw drift;
    const missing = calls[position];
    if (missing !== undefined)
      throw new DriftError(`call ${position + 1} of ${calls.length} was not made: ${shown(missing)}`);
  };
  return { runtime: wrapRuntime(runtime, replay), assertComplete };
}

const PENDING = { ok: false } as ToolResult;

type Made = Omit<RecordedCall, "result">;

function madeBy({ tool, args, options }: WrappedCall): Made {
  return { tool, args, ...(options.dryRun === true && { dryRun: true }) };
}

function keyOf({ tool, args, dryRun }: Made): string {
  return canonicalJson([tool, args, dryRun === true]);
}

function difference(recorded: Made, made: Made): string {
  return unifiedDiff({ path: "call", before: pretty(recorded), after: pretty(made) }).text;
}

function pretty({ tool, args, dryRun }: Made): string {
  return `${tool} ${JSON.stringify(args, undefined, 2)}${dryRun ? "\ndry run" : ""}\n`;
}

function shown({ tool, args }: Made): string {
  return `${tool} ${JSON.stringify(args)}`.slice(0, 500);
}

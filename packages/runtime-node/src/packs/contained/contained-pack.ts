import { deserialize } from "node:v8";
import { ToolError } from "@haft/core";
import { type ContainedContext, errorData, errorOf, RequestAnswerer } from "./answer-requests.js";
import type { FromPack, ReportedTool, Request } from "./pack-messages.js";
import { PackEnded, PackProcess } from "./pack-process.js";

export interface ContainmentOptions {
  /** The limit of the pack's memory: of its heap, and of its buffers. Default: 256. */
  readonly memoryMb?: number;
  /** The time limit for importing the pack. Default: 10000. */
  readonly startMs?: number;
  /** How long a cancelled call may take to end before its process is killed. Default: 250. */
  readonly stopMs?: number;
  /** How long a process without a call stays for the next one. Default: 30000. */
  readonly idleMs?: number;
}

/** A pack that was imported in a separate process, where it runs one call at a time. */
export class ContainedPack {
  readonly #process: PackProcess;
  readonly #stopMs: number;
  #runs = 0;

  private constructor(process: PackProcess, stopMs: number) {
    this.#process = process;
    this.#stopMs = stopMs;
  }

  static async start(entry: string, options: ContainmentOptions): Promise<StartedPack> {
    const { memoryMb = 256, startMs = 10_000, stopMs = 250 } = options;
    const process = new PackProcess(memoryMb, { entry, limits: LIMITS });
    try {
      const tools = await reportedTools(process, startMs);
      process.unref();
      return { pack: new ContainedPack(process, stopMs), tools };
    } catch (thrown) {
      await process.end();
      throw thrown;
    }
  }

  get isOver(): boolean {
    return this.#process.isOver;
  }

  /** Runs a tool. Kills the process of a call that is cancelled or out of time and does not end. */
  async run(tool: string, args: unknown, context: ContainedContext): Promise<unknown> {
    const { signal } = context;
    let timer: NodeJS.Timeout | undefined;
    const stop = () => {
      this.#process.send({ type: "abort", error: errorData(signal.reason) });
      timer = setTimeout(() => void this.end(), this.#stopMs);
    };
    this.#process.ref();
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    try {
      return await this.#outcomeOf(tool, args, context);
    } catch (thrown) {
      if (!(thrown instanceof PackEnded)) throw thrown;
      throw stopped(tool, signal, thrown);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      this.#process.unref();
    }
  }

  end(): Promise<void> {
    return this.#process.end();
  }

  async #outcomeOf(tool: string, args: unknown, context: ContainedContext): Promise<unknown> {
    const answerer = new RequestAnswerer(context);
    this.#runs += 1;
    const run = this.#runs;
    this.#process.send({ type: "run", run, tool, args, context: contextData(context) });
    return this.#process.listen((message, { resolve, reject }) => {
      // SECURITY: work left over from an earlier call must not use the permissions of this one.
      if (message.run !== run) return;
      if (message.type === "done") resolve(deserialize(message.bytes));
      else if (message.type === "threw") reject(errorOf(message.error));
      else if ("id" in message) void this.#answer(answerer, message);
      else tell(context, message);
    });
  }

  async #answer(answerer: RequestAnswerer, request: Request): Promise<void> {
    const given = await answerer.answer(request);
    try {
      this.#process.send({ type: "answer", id: request.id, ...given });
    } catch {
      const message = "The value cannot be sent to a contained tool";
      this.#process.send({ type: "answer", id: request.id, error: { message } });
    }
  }
}

interface StartedPack {
  readonly pack: ContainedPack;
  readonly tools: readonly ReportedTool[];
}

/**
 * The limits of what a call may send. It waits or is cut off beyond them, so that a pack in a loop cannot exhaust the
 * host's memory.
 */
const LIMITS = {
  openRequests: 256,
  reportMs: 50,
  warnings: 100,
  warningLength: 2000,
  images: 100,
  resultBytes: 64e6,
};

function tell(context: ContainedContext, message: FromPack): void {
  if (message.type === "report") context.report(message.progress);
  if (message.type === "warn") context.warn(message.message);
  if (message.type === "attach") context.attach(message.image);
}

function contextData({ callId, rehearsing, workspace, network, remainingMs }: ContainedContext): object {
  const methods = Object.keys(workspace).filter(
    (name) => name !== "absolute" && typeof workspace[name] === "function",
  );
  return {
    callId,
    rehearsing,
    remainingMs: remainingMs(),
    root: workspace.root,
    methods,
    network: network !== undefined,
  };
}

function stopped(tool: string, signal: AbortSignal, cause: PackEnded): Error {
  if (signal.aborted) return signal.reason as Error;
  const reason = cause.message === "" ? "" : `: ${cause.message}`;
  const message = `The process of ${tool} ended before the call did${reason}`;
  return new ToolError("EXECUTION_ERROR", message, { cause });
}

async function reportedTools(process: PackProcess, startMs: number): Promise<readonly ReportedTool[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`importing it took longer than ${startMs} ms`)), startMs);
  });
  const reported = process.listen<readonly ReportedTool[]>((message, { resolve, reject }) => {
    if (message.type === "ready") resolve(message.tools);
    if (message.type === "failed") reject(errorOf(message.error));
  });
  try {
    return await Promise.race([reported, late]);
  } catch (thrown) {
    const hasNoReason = thrown instanceof PackEnded && thrown.message === "";
    throw hasNoReason ? new Error("it ended its own process") : thrown;
  } finally {
    clearTimeout(timer);
  }
}

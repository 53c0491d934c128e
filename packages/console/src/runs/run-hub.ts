import { randomUUID } from "node:crypto";
import { type DurableEvent, isDurable, type RunEvent, type RunHandle, startRun } from "@haft/agent";
import { ToolError, type ToolRuntime } from "@haft/core";
import type { RunSummary } from "../protocol.js";
import type { ConsoleWorkspace } from "../workspace/console-workspace.js";
import { LiveTail } from "./live-tail.js";
import { RunDigest } from "./run-digest.js";
import { RunList } from "./run-list.js";

type RunListener = (event: RunEvent) => void;

/** `isWhole` marks an event that carries all there is so far instead of what is new. */
type RunFollower = (event: RunEvent, isWhole?: true) => void;

interface LiveRun {
  readonly handle: RunHandle;
  readonly runtime: ToolRuntime;
}

/** The runs of one workspace: those that this server drives, and those that it reads from their journals. */
export class RunHub {
  readonly #workspace: ConsoleWorkspace;
  readonly #list: RunList;
  #newsCheck: Promise<boolean> | undefined;
  readonly #live = new Map<string, LiveRun>();
  readonly #listeners = new Map<string, Set<RunListener>>();
  readonly #anyEvent: RunListener;
  readonly #tail = new LiveTail();
  readonly #opening = new Map<string, Promise<LiveRun>>();

  constructor(workspace: ConsoleWorkspace, onEvent: RunListener) {
    this.#workspace = workspace;
    this.#list = new RunList(workspace.runs);
    this.#anyEvent = onEvent;
  }

  async start(task: string): Promise<string> {
    const runId = randomUUID().slice(0, 13);
    await this.#open(runId, task);
    return runId;
  }

  /** Sends a message to a run. A running one reads it before its next turn; an ended one continues. */
  async say(runId: string, text: string): Promise<void> {
    const opening = this.#opening.get(runId);
    // Awaits nothing unless a run is opened: the next message must find the run that this one starts.
    const live = this.#live.get(runId) ?? (opening && (await opening));
    if (live === undefined) await this.#open(runId, text);
    else if (live.handle.state.status === "done") {
      // It is about to be removed from the live runs.
      await live.handle.done;
      await this.say(runId, text);
    } else live.handle.say(text);
  }

  /** Ends a run. Resumes it first if no process drives it. */
  async cancel(runId: string, by: string): Promise<void> {
    const live = this.#live.get(runId) ?? (await this.#resumeUnended(runId));
    live.handle.cancel(undefined, by);
  }

  async #resumeUnended(runId: string): Promise<LiveRun> {
    const digest = new RunDigest(runId);
    for (const event of await this.events(runId)) digest.add(event);
    if (digest.lastSeq === 0 || digest.isOver) throw notDrivenHere();
    return this.resume(runId).catch((thrown) => {
      throw ToolError.is(thrown) && thrown.code === "RUN_BUSY" ? notDrivenHere() : thrown;
    });
  }

  /** Cancels one running call; the run continues. */
  stopCall(callId: string, by: string): void {
    this.#driven(callId.split(":")[0] ?? "").handle.stopCall(callId, by);
  }

  #driven(runId: string): LiveRun {
    const live = this.#live.get(runId);
    if (live !== undefined) return live;
    throw notDrivenHere();
  }

  live(runId: string): LiveRun | undefined {
    return this.#live.get(runId);
  }

  /** Returns the run as driven by this server. Resumes it if no process drives it. */
  async resume(runId: string): Promise<LiveRun> {
    return this.#live.get(runId) ?? this.#open(runId);
  }

  async events(runId: string, afterSeq = 0): Promise<readonly DurableEvent[]> {
    const live = this.#live.get(runId);
    if (live !== undefined) return live.handle.log.filter(({ seq }) => seq > afterSeq);
    return this.#workspace.runs.read(runId, afterSeq);
  }

  /** Sends a listener the events after `afterSeq`, then everything as it happens. Returns a function that stops it. */
  async follow(runId: string, afterSeq: number, listener: RunFollower): Promise<() => void> {
    let last = afterSeq;
    const tell: RunListener = (event) => {
      if (isDurable(event)) {
        if (event.seq <= last) return;
        last = event.seq;
      }
      listener(event);
    };
    const early: RunEvent[] = [];
    let isReplayed = false;
    const hear: RunListener = (event) => (isReplayed ? tell(event) : early.push(event));
    const listeners = this.#listeners.get(runId) ?? new Set();
    this.#listeners.set(runId, listeners.add(hear));
    for (const event of await this.events(runId, afterSeq)) tell(event);
    isReplayed = true;
    // What is under way follows as a whole, and contains what arrived meanwhile.
    for (const event of early) if (isDurable(event)) tell(event);
    for (const event of this.#tail.of(runId)) listener(event, true);
    const timer = setInterval(() => void this.#poll(runId, last), POLL_MS).unref();
    return () => {
      clearInterval(timer);
      listeners.delete(hear);
    };
  }

  /** Lists all runs, most recent event first. */
  list(): Promise<readonly RunSummary[]> {
    return this.#list.read((runId) => this.#live.get(runId)?.handle);
  }

  /** Returns whether pages must reload the list because of other processes. Concurrent callers share one check. */
  hasNews(): Promise<boolean> {
    const forget = () => {
      this.#newsCheck = undefined;
    };
    this.#newsCheck ??= this.#list.hasNews((runId) => this.#live.has(runId)).finally(forget);
    return this.#newsCheck;
  }

  /** Returns the ids of runs whose task, messages, arguments or results contain every word. */
  find(words: string): Promise<readonly string[]> {
    return this.#list.find(words, (runId) => this.#live.get(runId)?.handle);
  }

  /** Detaches from every run. Pending approvals stay pending and survive a restart. */
  async close(): Promise<void> {
    const runs = [...this.#live.values()];
    for (const { handle } of runs) handle.detach();
    await Promise.all(runs.map(({ handle }) => handle.done));
    await Promise.all(runs.map(({ runtime }) => runtime.dispose()));
  }

  /** Reads the events of a run that another process drives. */
  async #poll(runId: string, afterSeq: number): Promise<void> {
    if (this.#live.has(runId)) return;
    const news = await this.#workspace.runs.read(runId, afterSeq).catch(() => []);
    for (const event of news) this.#tell(event);
  }

  #open(runId: string, task?: string): Promise<LiveRun> {
    const opening = this.#opening.get(runId) ?? this.#openNow(runId, task);
    this.#opening.set(runId, opening);
    const forget = () => this.#opening.delete(runId);
    opening.then(forget, forget);
    return opening;
  }

  async #openNow(runId: string, task?: string): Promise<LiveRun> {
    const journal = await this.#workspace.runs.open(runId);
    const prepared = await this.#workspace.openRun().catch(async (thrown) => {
      await journal.close();
      throw thrown;
    });
    const onEvent = (event: RunEvent) => this.#tell(event);
    const handle = startRun({ ...prepared, journal, onEvent, ...(task !== undefined && { task }) });
    const live = { handle, runtime: prepared.runtime };
    this.#live.set(runId, live);
    void handle.done.then(() => this.#ended(runId, live));
    return live;
  }

  async #ended(runId: string, { runtime, handle }: LiveRun): Promise<void> {
    // Listeners receive the last events before the run stops being live.
    for (const event of handle.log.slice(-1)) this.#tell(event);
    this.#live.delete(runId);
    this.#tail.forget(runId);
    await runtime.dispose();
  }

  #tell(event: RunEvent): void {
    this.#tail.hear(event);
    for (const listener of this.#listeners.get(event.runId) ?? []) listener(event);
    this.#anyEvent(event);
  }
}

const POLL_MS = 700;

function notDrivenHere(): ToolError {
  return new ToolError("RUN_NOT_FOUND", "This server does not drive the run", {
    hint: "Stop it where it was started.",
  });
}

import type { CollectedLines } from "../search/collect-lines.js";
import { SearchStopped } from "../search/search-control.js";
import { mergeTallies, type SearchTally, type WantedAnswer } from "../search/search-tally.js";
import type { PathQueue } from "./path-queue.js";
import type { FromWorker } from "./worker-messages.js";

interface TeamSetup {
  readonly id: number;
  readonly queue: PathQueue;
  /** The number of threads that will certainly answer; undefined if it depends on how soon they start. */
  readonly expected: number | undefined;
  /** Sends the first thread a message. */
  readonly collect: (wanted: WantedAnswer) => void;
  readonly keepAlive: <T>(work: Promise<T>) => Promise<T>;
}

/** The leading thread's view of the other threads' work on one search. */
export class TeamSearch {
  readonly queue: PathQueue;
  /** Settles when all threads are free again. */
  readonly idle: Promise<void>;
  /** Whether threads do all the searching, so that the caller's thread only walks. */
  readonly isFull: boolean;
  private becomeIdle: () => void = () => {};
  private settle: (() => void) | undefined;
  private expected: number | undefined;
  private tally: SearchTally | undefined;
  private lines: CollectedLines | undefined;
  private answers = 0;
  private failure: Error | undefined;

  constructor(private readonly setup: TeamSetup) {
    this.queue = setup.queue;
    this.isFull = setup.expected !== undefined;
    this.queue.open(setup.id);
    this.idle = new Promise((resolve) => {
      this.becomeIdle = resolve;
    });
  }

  receive(message: Exclude<FromWorker, { type: "ready" }>): void {
    if (message.id !== this.setup.id) return;
    if (message.type === "lines") this.lines = message;
    else if (message.type === "failed")
      this.failure ??= new Error("a search thread failed", { cause: message.error });
    else if (!message.tally) this.failure ??= new SearchStopped("cancelled");
    else this.tally = this.tally ? mergeTallies(this.tally, message.tally) : message.tally;
    if (message.type !== "lines") this.answers++;
    this.settle?.();
  }

  /** Adds the counts of the threads. Nothing may be pushed afterwards. */
  async finish(own: SearchTally): Promise<SearchTally> {
    this.queue.end();
    await this.setup.keepAlive(this.allAnswers());
    if (this.failure) throw this.failure;
    return this.tally ? mergeTallies(own, this.tally) : own;
  }

  /** Lets a thread collect the lines; only for a search where `isFull`. */
  async collect(wanted: WantedAnswer): Promise<CollectedLines> {
    this.setup.collect(wanted);
    const collected = new Promise<CollectedLines>((resolve, reject) => {
      this.settle = () => {
        if (this.lines) resolve(this.lines);
        else if (this.failure) reject(this.failure);
      };
      this.settle();
    });
    return this.setup.keepAlive(collected);
  }

  /** Ends the search at any point; the threads are free a little later. */
  async release(): Promise<void> {
    this.queue.stop();
    await this.allAnswers();
    this.becomeIdle();
  }

  /** Call when the threads are gone and will not answer. */
  abandon(reason: Error): void {
    // A thread that had not joined took no chunks.
    if (this.isFull || this.closeIntake() > this.answers) this.failure ??= reason;
    this.expected = 0;
    this.settle?.();
  }

  private allAnswers(): Promise<void> {
    return new Promise((resolve) => {
      this.settle = () => {
        const expected = this.expected ?? this.setup.expected ?? this.closeIntake();
        if (this.answers >= expected) resolve();
      };
      this.settle();
    });
  }

  private closeIntake(): number {
    this.expected = this.queue.close();
    return this.expected;
  }
}

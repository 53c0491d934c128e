import type { Steps } from "@haft/text/regex";

/** Thrown inside a search to stop it, on its signal or its deadline. */
export class SearchStopped extends Error {
  override readonly name = "SearchStopped";

  constructor(readonly reason: "cancelled" | "deadline") {
    super(`search stopped: ${reason}`);
  }
}

/** Thrown when one file takes too long; the search continues with the next. */
export class FileTimedOut extends Error {
  override readonly name = "FileTimedOut";
}

/** At most this much of the call's time, and at most a quarter, is reserved for collecting lines. */
const COLLECTING_MS = 2000;

/** Watches the clock and the caller's signal. `pulse` is cheap enough to call every few thousand bytes. */
export class SearchControl {
  /** The deadline for counting, then for collecting, which is that of the call. */
  private phaseEnds: number;
  private readonly callEnds: number;
  private fileEnds = Number.POSITIVE_INFINITY;

  constructor(
    private readonly isCancelled: () => boolean,
    private readonly limits: { readonly callMs: number; readonly fileMs: number },
  ) {
    this.callEnds = performance.now() + limits.callMs;
    this.phaseEnds = this.callEnds - Math.min(COLLECTING_MS, limits.callMs / 4);
  }

  readonly pulse = (): void => {
    if (this.isCancelled()) throw new SearchStopped("cancelled");
    const now = performance.now();
    if (now > this.phaseEnds) throw new SearchStopped("deadline");
    if (now > this.fileEnds) throw new FileTimedOut();
  };

  startCollecting(): void {
    this.phaseEnds = this.callEnds;
  }

  /** Runs work on one file and discards the result if it takes too long. */
  *attempt<T>(work: () => Steps<T>): Steps<T[]> {
    this.startFile();
    try {
      this.pulse();
      return [yield* work()];
    } catch (error) {
      if (error instanceof FileTimedOut || (error instanceof SearchStopped && error.reason === "deadline"))
        return [];
      throw error;
    } finally {
      this.endFile();
    }
  }

  startFile(): void {
    this.fileEnds = performance.now() + this.limits.fileMs;
  }

  /** Time between two files counts towards neither. */
  endFile(): void {
    this.fileEnds = Number.POSITIVE_INFINITY;
  }
}

/** Thrown inside a search to end it: by its signal or by its deadline. */
export class SearchStopped extends Error {
  override readonly name = "SearchStopped";

  constructor(readonly reason: "cancelled" | "deadline") {
    super(`search stopped: ${reason}`);
  }
}

/** Thrown when one file takes too long; the search goes on with the next. */
export class FileTimedOut extends Error {
  override readonly name = "FileTimedOut";
}

/** Of the call's time, at most this much and at most a quarter is kept for collecting what was found. */
const COLLECTING_MS = 2000;

/** Watches the clock and the caller's signal; `pulse` is cheap enough to be called every few thousand bytes. */
export class SearchControl {
  /** The end of counting, then of collecting, which is that of the call. */
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

  /** Runs work on one file; nothing comes of it when it takes too long. */
  attempt<T>(work: () => T): T[] {
    this.startFile();
    try {
      this.pulse();
      return [work()];
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

  /** What comes between two files is on the clock of neither. */
  endFile(): void {
    this.fileEnds = Number.POSITIVE_INFINITY;
  }
}

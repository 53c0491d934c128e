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

const COLLECTING_MS = 2000;

/** Watches the clock and the caller's signal; `pulse` is cheap enough to be called every few thousand bytes. */
export class SearchControl {
  private callEnds: number;
  private fileEnds = Number.POSITIVE_INFINITY;

  constructor(
    private readonly isCancelled: () => boolean,
    private readonly limits: { readonly callMs: number; readonly fileMs: number },
  ) {
    this.callEnds = performance.now() + limits.callMs;
  }

  readonly pulse = (): void => {
    if (this.isCancelled()) throw new SearchStopped("cancelled");
    const now = performance.now();
    if (now > this.callEnds) throw new SearchStopped("deadline");
    if (now > this.fileEnds) throw new FileTimedOut();
  };

  /** What was found is worth a little more time, also when the deadline has passed. */
  startCollecting(): void {
    this.callEnds = Math.max(this.callEnds, performance.now() + COLLECTING_MS);
  }

  /** Runs work on one file; nothing comes of it when it takes too long. */
  attempt<T>(work: () => T): T[] {
    this.startFile();
    try {
      return [work()];
    } catch (error) {
      if (error instanceof FileTimedOut || (error instanceof SearchStopped && error.reason === "deadline"))
        return [];
      throw error;
    }
  }

  startFile(): void {
    this.fileEnds = performance.now() + this.limits.fileMs;
  }
}

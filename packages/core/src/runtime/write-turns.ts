import { within } from "./call-deadline.js";

/**
 * Calls that change files take turns, in the order they came, from rehearsal to commit. So what was
 * rehearsed is still true when it is applied, unless somebody outside this runtime interferes.
 */
export class WriteTurns {
  #last: Promise<void> = Promise.resolve();

  async take(signal: AbortSignal): Promise<WriteTurn> {
    const before = this.#last;
    let end = (): void => {};
    this.#last = new Promise((resolve) => {
      end = resolve;
    });
    // Who gives up waiting still has a place in the queue; it passes when it comes up.
    await within(signal, () => before).catch((reason) => {
      void before.then(end);
      throw reason;
    });
    return {
      end,
      /** Lets others go while a person is asked, then queues up again. */
      pause: async (work) => {
        end();
        const result = await work();
        const next = await this.take(signal);
        end = next.end;
        return result;
      },
      done: () => end(),
    };
  }
}

export interface WriteTurn {
  readonly end: () => void;
  pause<T>(work: () => Promise<T>): Promise<T>;
  done(): void;
}

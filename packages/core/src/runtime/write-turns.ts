/**
 * Calls that change files take turns, in the order they came, from rehearsal to commit. So what was
 * rehearsed is still true when it is applied, unless somebody outside this runtime interferes.
 */
export class WriteTurns {
  #last: Promise<void> = Promise.resolve();

  async take(): Promise<WriteTurn> {
    const before = this.#last;
    let end = (): void => {};
    this.#last = new Promise((resolve) => {
      end = resolve;
    });
    await before;
    return {
      end,
      /** Lets others go while a person is asked, then queues up again. */
      pause: async (work) => {
        end();
        const result = await work();
        const next = await this.take();
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

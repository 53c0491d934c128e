import { isInside } from "../workspace/path-text.js";
import { within } from "./call-deadline.js";

/**
 * Calls that change files take turns, in the order they came, from rehearsal to commit. So what was
 * rehearsed is still true when it is applied, unless somebody outside this runtime interferes.
 * While a person is asked others go on, but not with the same files: what they would show would be
 * out of date by the time it is approved.
 */
export class WriteTurns {
  #last: Promise<void> = Promise.resolve();
  readonly #claims = new Set<Claim>();

  async take(signal: AbortSignal): Promise<WriteTurn> {
    let end = await this.#next(signal);
    let claim: Claim | undefined;
    /** Lets others go meanwhile, then queues up again. */
    const pause: WriteTurn["pause"] = async (work) => {
      end();
      const result = await work();
      end = await this.#next(signal);
      return result;
    };
    return {
      pause,
      claim: (paths) => {
        if (claim !== undefined) return undefined;
        const earlier = [...this.#claims].filter((other) => areRelated(other.paths, paths));
        claim = newClaim(paths);
        this.#claims.add(claim);
        // Only earlier claims are waited for, so no two calls ever wait for each other.
        return earlier.length === 0 ? undefined : Promise.all(earlier.map(({ released }) => released));
      },
      done: () => {
        if (claim !== undefined) this.#claims.delete(claim);
        claim?.release();
        end();
      },
    };
  }

  async #next(signal: AbortSignal): Promise<() => void> {
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
    return end;
  }
}

export interface WriteTurn {
  pause<T>(work: () => Promise<T>): Promise<T>;
  /** Says which paths this call will change, once; what to wait for when earlier calls are at them. */
  claim(paths: readonly string[]): Promise<unknown> | undefined;
  done(): void;
}

interface Claim {
  readonly paths: readonly string[];
  readonly released: Promise<void>;
  release(): void;
}

function newClaim(paths: readonly string[]): Claim {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { paths, released, release };
}

function areRelated(some: readonly string[], others: readonly string[]): boolean {
  return some.some((path) => others.some((other) => isInside(path, other) || isInside(other, path)));
}

import { isInside } from "../workspace/path-text.js";
import { within } from "./call-deadline.js";

/**
 * Serialises calls that change files, from rehearsal to commit, in arrival order. So a rehearsal is still valid when it
 * is applied, unless another program interferes. While approval is pending, other calls proceed, but not on the same
 * files: their previews would be outdated once approved.
 */
export class WriteTurns {
  #last: Promise<void> = Promise.resolve();
  readonly #claims = new Set<Claim>();

  async take(signal: AbortSignal): Promise<WriteTurn> {
    let end = await this.#next(signal);
    let claim: Claim | undefined;
    /** Lets other calls proceed meanwhile, then rejoins the queue. */
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
        // Waits only for earlier claims, so calls never wait for each other in a cycle.
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
    // A call that stops waiting keeps its place in the queue and passes the turn on when it comes.
    await within(signal, () => before).catch((reason) => {
      void before.then(end);
      throw reason;
    });
    return end;
  }
}

export interface WriteTurn {
  pause<T>(work: () => Promise<T>): Promise<T>;
  /** Claims the paths this call will change, once. Returns a promise to wait for if earlier calls hold them. */
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

/** For calls that do not take turns. */
export const NO_TURN = { pause: <T>(work: () => Promise<T>) => work() };

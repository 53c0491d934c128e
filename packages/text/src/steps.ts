/**
 * Work in steps of about a millisecond, so that the caller's thread can do something else between two. A generator
 * rather than an async function: a worker runs all steps at once.
 */
export type Steps<T = void> = Generator<undefined, T, undefined>;

/** Runs all steps without a pause. */
export function runAll<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

import { ToolError } from "@haft/core";

interface TimeLimit {
  readonly ms: number;
  /** Names the operation that timed out. */
  readonly what: string;
}

/**
 * Runs work with a signal that combines the given one and the limit. Settles when either fires, even if the work
 * ignores the signal; rejects with TIMEOUT for the limit.
 */
export async function withTimeLimit<T>(
  { ms, what }: TimeLimit,
  outer: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  outer.throwIfAborted();
  const controller = new AbortController();
  const follow = () => controller.abort(outer.reason);
  const timer = setTimeout(() => controller.abort(timedOut(what, ms)), ms);
  outer.addEventListener("abort", follow, { once: true });
  const stopped = new Promise<never>((_, reject) => {
    controller.signal.addEventListener("abort", () => reject(controller.signal.reason), { once: true });
  });
  try {
    return await Promise.race([work(controller.signal), stopped]);
  } finally {
    clearTimeout(timer);
    outer.removeEventListener("abort", follow);
  }
}

function timedOut(what: string, ms: number): ToolError {
  return new ToolError("TIMEOUT", `${what} took longer than ${Math.round(ms / 100) / 10} s and was stopped`, {
    hint: "Try again with a longer timeout, or another address.",
  });
}

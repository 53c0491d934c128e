/** Resolves after a delay, or immediately when the signal aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", finish);
      resolve();
    };
    const timer = setTimeout(finish, Math.min(ms, MAX_TIMER_MS));
    signal.addEventListener("abort", finish, { once: true });
    if (signal.aborted) finish();
  });
}

/** The longest delay a timer supports. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

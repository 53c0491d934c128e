/** Returns the delay before an attempt: the server's request, otherwise exponential with jitter. */
export function backOffMs(attempt: number, { retryAfterMs, baseMs = DEFAULT_BASE_MS }: BackOff): number {
  if (attempt <= 1) return 0;
  return retryAfterMs ?? Math.min(baseMs * 2 ** (attempt - 2), MAX_PAUSE_MS) * (0.5 + Math.random());
}

interface BackOff {
  readonly retryAfterMs?: number | undefined;
  readonly baseMs?: number | undefined;
}

const DEFAULT_BASE_MS = 500;
const MAX_PAUSE_MS = 30_000;

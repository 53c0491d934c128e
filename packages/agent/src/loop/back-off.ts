/** How long to wait before an attempt: as the server asked, else twice as long each time, never in step with others. */
export function backOffMs(attempt: number, { retryAfterMs, baseMs = DEFAULT_BASE_MS }: BackOff): number {
  if (attempt <= 1) return 0;
  return retryAfterMs ?? baseMs * 2 ** (attempt - 2) * (0.5 + Math.random());
}

export interface BackOff {
  readonly retryAfterMs?: number | undefined;
  readonly baseMs?: number | undefined;
}

const DEFAULT_BASE_MS = 500;

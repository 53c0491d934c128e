import { ToolError } from "@haft/core";

/** Limits the requests to one host per minute. Throws LIMIT_EXCEEDED with the time to wait. */
export class RateLimit {
  readonly #perMinute: number;
  readonly #now: () => number;
  readonly #taken = new Map<string, number[]>();

  constructor(perMinute: number, now: () => number = () => performance.now()) {
    this.#perMinute = perMinute;
    this.#now = now;
  }

  take(host: string): void {
    const now = this.#now();
    this.#forget(now - MINUTE_MS);
    const times = this.#taken.get(host) ?? [];
    const [oldest = now] = times;
    if (times.length >= this.#perMinute) throw tooMany(host, this.#perMinute, oldest + MINUTE_MS - now);
    this.#taken.set(host, [...times, now]);
  }

  #forget(before: number): void {
    for (const [host, times] of this.#taken) {
      const recent = times.filter((time) => time > before);
      if (recent.length === 0) this.#taken.delete(host);
      else this.#taken.set(host, recent);
    }
  }
}

const MINUTE_MS = 60_000;

function tooMany(host: string, perMinute: number, waitMs: number): ToolError {
  const seconds = Math.ceil(waitMs / 1000);
  return new ToolError("LIMIT_EXCEEDED", `${perMinute} requests were sent to ${host} within a minute`, {
    hint: `Wait ${seconds} s, or continue without it.`,
    details: { host, retryAfterMs: Math.ceil(waitMs) },
  });
}

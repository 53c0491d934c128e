import type { RunState } from "../state/run-state.js";
import { MAX_TIMER_MS } from "./pause.js";

/** Calls when a run has been at work for as long as it may; stands still while only people are waited for. */
export class ActiveClock {
  readonly #onExpired: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(onExpired: () => void) {
    this.#onExpired = onExpired;
  }

  set({ status, limits, activeMs, lastAt, stop }: RunState): void {
    this.stop();
    if (stop !== undefined || (status !== "thinking" && status !== "acting")) return;
    const leftMs = limits.activeMs - activeMs - Math.max(0, Date.now() - Date.parse(lastAt));
    this.#timer = setTimeout(this.#onExpired, Math.min(Math.max(leftMs, 0), MAX_TIMER_MS));
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

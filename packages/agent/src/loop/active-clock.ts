import type { RunState } from "../state/run-state.js";
import { MAX_TIMER_MS } from "./pause.js";

/** Fires when a run has been active for its limit. Pauses while only approvals are pending. */
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

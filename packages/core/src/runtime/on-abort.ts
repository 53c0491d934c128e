/**
 * Calls back when a signal aborts; the function returned takes that back. However many wait, the
 * signal has one listener: a runtime's signal is shared by all its calls, a caller's by many.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const waiting = waitingFor.get(signal) ?? listenTo(signal);
  waiting.add(callback);
  return () => {
    waiting.delete(callback);
  };
}

/** Owned by the signals: nothing is kept for one that is gone. */
const waitingFor = new WeakMap<AbortSignal, Set<() => void>>();

function listenTo(signal: AbortSignal): Set<() => void> {
  const waiting = new Set<() => void>();
  waitingFor.set(signal, waiting);
  signal.addEventListener("abort", () => tellAll(waiting), { once: true });
  return waiting;
}

function tellAll(waiting: Set<() => void>): void {
  for (const callback of [...waiting]) callback();
}

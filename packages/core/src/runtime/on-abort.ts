/**
 * Calls back when a signal aborts. Returns a function that unregisters the callback. The signal gets only one listener:
 * a runtime's signal is shared by all its calls, a caller's by many.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const waiting = waitingFor.get(signal) ?? listenTo(signal);
  waiting.add(callback);
  return () => {
    waiting.delete(callback);
  };
}

/** Keyed weakly by signal, so entries are collected with it. */
const waitingFor = new WeakMap<AbortSignal, Set<() => void>>();

function listenTo(signal: AbortSignal): Set<() => void> {
  const waiting = new Set<() => void>();
  waitingFor.set(signal, waiting);
  signal.addEventListener("abort", () => notifyAll(waiting), { once: true });
  return waiting;
}

function notifyAll(waiting: Set<() => void>): void {
  for (const callback of [...waiting]) callback();
}

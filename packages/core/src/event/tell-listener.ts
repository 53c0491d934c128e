/** Called when a listener throws or its promise rejects. */
export type ListenerErrorHandler = (error: unknown) => void;

/** Calls a listener. Never throws, and never leaves a rejection unhandled: watching must not affect a call or a run. */
export function tellListener<E>(
  listener: (event: E) => unknown,
  event: E,
  onError: ListenerErrorHandler = () => {},
): void {
  const report = (error: unknown) => {
    try {
      onError(error);
    } catch {
      // The handler belongs to the host; there is no further place to report to.
    }
  };
  try {
    const result = listener(event);
    if (result instanceof Promise) result.catch(report);
  } catch (error) {
    report(error);
  }
}

/** Keeps a long search from holding everything else up. */
export interface SearchPace {
  /** Call it between steps: now and then it lets other work run, and it throws once the call has ended. */
  breathe(): Promise<void> | undefined;
}

export function searchPace(signal: AbortSignal): SearchPace {
  let rested = performance.now();
  const rest = async (): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve));
    rested = performance.now();
    signal.throwIfAborted();
  };
  return { breathe: () => (performance.now() - rested < MAX_BUSY_MS ? undefined : rest()) };
}

const MAX_BUSY_MS = 25;

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/** Returns the current time in milliseconds. Updates every second while something is running. */
export function useNow(isTicking: boolean): number {
  const now = useSignal(Date.now());
  useEffect(() => {
    if (!isTicking) return undefined;
    const tick = () => (now.value = Date.now());
    tick();
    const timer = setInterval(tick, 1_000);
    return () => clearInterval(timer);
  }, [isTicking]);
  return now.value;
}

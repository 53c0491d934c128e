import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/** The time in milliseconds, anew each second while something is under way. */
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

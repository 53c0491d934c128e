import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/**
 * Returns false for a moment after `shown` appears or changes, so that a click or key meant for something else decides
 * nothing.
 */
export function useReadiness(shown: string): boolean {
  const ready = useSignal<string | undefined>(undefined);
  useEffect(() => {
    const timer = window.setTimeout(() => (ready.value = shown), READY_MS);
    return () => window.clearTimeout(timer);
  }, [shown]);
  return ready.value === shown;
}

export const READY_MS = 400;

import { signal } from "@preact/signals";

/** The call that the inspector shows. */
export const inspected = signal<string | undefined>(undefined);
/** Open from the start if there is space for it. */
export const isInspecting = signal(matchMedia("(min-width: 1400px)").matches);
export const isSideFolded = signal(false);

export function inspect(callId: string): void {
  inspected.value = callId;
  isInspecting.value = true;
}

import { signal } from "@preact/signals";

export const areKeysShown = signal(false);

export function showKeys(): void {
  areKeysShown.value = true;
}

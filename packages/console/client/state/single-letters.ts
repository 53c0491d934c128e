import { signal } from "@preact/signals";

const KEPT_AS = "haft-single-letters";

/** Whether single letters act. Whoever dictates, or types by accident, can switch them off. */
export const areLettersOn = signal(localStorage.getItem(KEPT_AS) !== "off");

export function switchLetters(isOn: boolean): void {
  areLettersOn.value = isOn;
  localStorage.setItem(KEPT_AS, isOn ? "on" : "off");
}

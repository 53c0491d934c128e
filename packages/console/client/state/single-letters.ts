import { signal } from "@preact/signals";

const STORAGE_KEY = "haft-single-letters";

/** Whether single-letter keys act. People who dictate can switch them off. */
export const areLettersOn = signal(localStorage.getItem(STORAGE_KEY) !== "off");

export function switchLetters(isOn: boolean): void {
  areLettersOn.value = isOn;
  localStorage.setItem(STORAGE_KEY, isOn ? "on" : "off");
}

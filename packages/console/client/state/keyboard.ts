import { openPalette } from "../parts/command-palette.js";
import { stopRun } from "../session/composer.js";
import { callTool } from "./called-tool.js";
import { isInspecting, isSideFolded } from "./inspected.js";
import { showKeys } from "./keys-shown.js";
import { reviewNext } from "./review.js";
import { go } from "./route.js";
import { areLettersOn } from "./single-letters.js";

addEventListener("keydown", (event) => {
  if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === "k") {
    event.preventDefault();
    openPalette();
    return;
  }
  if (event.shiftKey && event.key === "Escape") {
    void stopRun();
    return;
  }
  if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target) || isDialogOpen()) return;
  const act = areLettersOn.value ? KEYS[event.key] : undefined;
  if (act === undefined) return;
  event.preventDefault();
  act();
});

/** Letters that are safe anywhere outside a text field, because none of them decides anything. */
const KEYS: Readonly<Record<string, () => void>> = {
  j: () => reviewNext(1),
  k: () => reviewNext(-1),
  v: () => reviewNext(1),
  c: () => go({ screen: "run" }),
  "/": () => callTool(),
  "]": () => {
    isInspecting.value = !isInspecting.value;
  },
  "[": () => {
    isSideFolded.value = !isSideFolded.value;
  },
  "?": showKeys,
};

/** What lies behind a dialog hears no letters; the dialog has its own. */
function isDialogOpen(): boolean {
  return document.querySelector("dialog[open]") !== null;
}

export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest("input, textarea, select, [contenteditable]") !== null)
  );
}

import { effect, signal } from "@preact/signals";
import { shownText } from "../parts/visible-text.js";
import { review } from "./review.js";
import { approvals } from "./workspace.js";

const known = new Set<string>();
let isFirst = true;

/** Whether the browser may notify about approvals while the page is hidden. */
export const notifications = signal<NotificationPermission>(
  typeof Notification === "undefined" ? "denied" : Notification.permission,
);

/** Asks the browser for permission. Call it from a click. */
export async function askToNotify(): Promise<void> {
  if (typeof Notification !== "undefined") notifications.value = await Notification.requestPermission();
}

/** Notifies about approvals that arrive while the page is hidden. Approvals that were already pending do not count. */
export function startNotifying(): void {
  effect(() => {
    const items = approvals.value;
    if (items === undefined) return;
    const news = items.filter(({ id }) => !known.has(id));
    for (const { id } of news) known.add(id);
    const isQuiet = isFirst || !document.hidden || notifications.value !== "granted";
    isFirst = false;
    if (isQuiet) return;
    for (const { id, request, task } of news) {
      const body = [request.reason, task?.split("\n")[0]].filter(Boolean).join("\n");
      const shown = new Notification(`${shownText(request.tool)} waits for you`, {
        body: shownText(body),
        tag: id,
      });
      shown.onclick = () => {
        window.focus();
        review(id);
        shown.close();
      };
    }
  });
}

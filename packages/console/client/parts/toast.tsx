import { signal } from "@preact/signals";
import { Icon } from "./icon.js";
import { VisibleText } from "./visible-text.js";

interface Shown {
  readonly text: string;
  readonly action?: { readonly name: string; run(): void };
}

const shown = signal<Shown | undefined>(undefined);
const announced = signal("");
let timer: number | undefined;

/** Shows a message that the user may safely miss, for six seconds. */
export function toast(text: string, action?: Shown["action"]): void {
  window.clearTimeout(timer);
  shown.value = { text, ...(action !== undefined && { action }) };
  timer = window.setTimeout(hide, 6_000);
}

/** Announces a text to screen readers. */
export function announce(text: string): void {
  announced.value = text;
}

/** Stays while the pointer is on it or its button has the focus. */
function stay(): void {
  window.clearTimeout(timer);
}

function leaveSoon(): void {
  stay();
  timer = window.setTimeout(hide, 3_000);
}

function hide(): void {
  shown.value = undefined;
}

export function Toast() {
  const now = shown.value;
  if (now === undefined) return null;
  const { action } = now;
  return (
    <div
      class="toast"
      role="status"
      onMouseEnter={stay}
      onMouseLeave={leaveSoon}
      onFocusIn={stay}
      onFocusOut={leaveSoon}
    >
      <span>
        <VisibleText text={now.text} />
      </span>
      {action !== undefined && (
        <button
          type="button"
          class="btn quiet sm"
          onClick={() => {
            action.run();
            hide();
          }}
        >
          {action.name}
        </button>
      )}
      <button type="button" class="btn quiet sm icon" aria-label="Close" onClick={hide}>
        <Icon name="x" class="i-s" />
      </button>
    </div>
  );
}

export function Announcer() {
  return (
    <div class="sr" role="status" aria-live="polite">
      {announced.value}
    </div>
  );
}

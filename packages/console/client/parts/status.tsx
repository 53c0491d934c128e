import type { CallLook } from "../state/call-view.js";
import { Icon } from "./icon.js";
import type { IconName } from "./icons.js";

type Look = Exclude<CallLook, "proposed">;

const WORDS: Readonly<Record<CallLook, string>> = {
  proposed: "queued",
  waiting: "waits for you",
  running: "running",
  ok: "done",
  failed: "failed",
  denied: "not done",
  unknown: "unknown",
};

const SHAPES: Readonly<Record<Look, IconName>> = {
  waiting: "waiting",
  running: "running",
  ok: "ok",
  failed: "failed",
  denied: "denied",
  unknown: "unknown",
};

/** Shows the state by shape as well as by colour. */
export function StatusGlyph({ look }: { readonly look: CallLook }) {
  const shown = look === "proposed" ? "running" : look;
  return (
    <span class={`row is-${shown}`}>
      <Icon name={SHAPES[shown]} class={`st ${look === "running" ? "spin" : ""}`} />
      <span class="sr">{WORDS[look]}</span>
    </span>
  );
}

export function StatusChip({ look, children }: { readonly look: Look; readonly children: string }) {
  return (
    <span class={`chip is-${look}`}>
      <Icon name={SHAPES[look]} class={look === "running" ? "spin" : ""} />
      {children}
    </span>
  );
}

import { type Signal, signal } from "@preact/signals";
import { route } from "./route.js";
import { view } from "./workspace.js";

const drafts = new Map<string, Signal<string>>();

/** Unsent text of a run, or of the next new run in this workspace. Survives a change of screen. */
export function messageDraft(runId: string | undefined = view.value?.runId): Signal<string> {
  const key = `${route.value.workspace} ${runId ?? ""}`;
  const draft = drafts.get(key) ?? signal("");
  drafts.set(key, draft);
  return draft;
}

/** The run whose message field takes the focus once it is rendered, because the user is typing there. */
export const typedInto = signal<string | undefined>(undefined);

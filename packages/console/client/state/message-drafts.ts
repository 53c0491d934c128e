import { effect, type Signal, signal } from "@preact/signals";
import { route } from "./route.js";
import { view } from "./workspace.js";

const drafts = new Map<string, Signal<string>>();

/** Unsent text of a run, or of the next new run in this workspace. Survives a change of screen and a reload. */
export function messageDraft(runId: string | undefined = view.value?.runId): Signal<string> {
  const key = `haft-draft ${route.value.workspace} ${runId ?? ""}`;
  const draft = drafts.get(key) ?? keptDraft(key);
  drafts.set(key, draft);
  return draft;
}

/** Each tab keeps its own drafts. */
function keptDraft(key: string): Signal<string> {
  const draft = signal(sessionStorage.getItem(key) ?? "");
  effect(() => {
    if (draft.value === "") sessionStorage.removeItem(key);
    else if (draft.value.length <= MAX_KEPT) keep(key, draft.value);
  });
  return draft;
}

function keep(key: string, text: string): void {
  try {
    sessionStorage.setItem(key, text);
  } catch {
    // The storage is full: this draft is lost on a reload.
  }
}

const MAX_KEPT = 200_000;

/** The run whose message field takes the focus once it is rendered, because the user is typing there. */
export const typedInto = signal<string | undefined>(undefined);

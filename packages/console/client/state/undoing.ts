import { signal } from "@preact/signals";

/** The calls whose undo is previewed. */
export interface Undoing {
  readonly title: string;
  /** The calls of one run, in the order they were made. */
  readonly callIds: readonly string[];
  readonly hasCommands: boolean;
}

export const undoing = signal<Undoing | undefined>(undefined);

/** Returns whether the preview belongs to a run. Call ids start with the id of their run. */
export function isUndoOf(runId: string | undefined): boolean {
  return runId !== undefined && undoing.value?.callIds[0]?.startsWith(`${runId}:`) === true;
}

/** Counts undos, so that lists of changes load again. */
export const undoCount = signal(0);

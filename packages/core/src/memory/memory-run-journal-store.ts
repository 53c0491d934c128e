import { ToolError } from "../error/tool-error.js";
import type { JournalledEvent, RunJournal, RunJournalStore } from "../journal/run-journal-store.js";

/** Journals of runs in memory. */
export function memoryRunJournalStore<E extends JournalledEvent = JournalledEvent>(): RunJournalStore<E> {
  const runs = new Map<string, E[]>();
  const writers = new Set<string>();
  return {
    open: async (runId) => {
      if (writers.has(runId))
        throw new ToolError("RUN_BUSY", "Another writer is driving this run", {
          hint: "Wait until it has ended, or stop it.",
        });
      writers.add(runId);
      const events = runs.get(runId) ?? [];
      runs.set(runId, events);
      return journalOver(runId, events, () => writers.delete(runId));
    },
    list: async () => [...runs].flatMap(([runId, events]) => (events.length > 0 ? [runId] : [])),
    read: async (runId, afterSeq = 0) =>
      structuredClone(runs.get(runId) ?? []).filter(({ seq }) => seq > afterSeq),
    remove: async (runId) => !writers.has(runId) && runs.delete(runId),
  };
}

function journalOver<E extends JournalledEvent>(
  runId: string,
  kept: E[],
  release: () => void,
): RunJournal<E> {
  let isClosed = false;
  return {
    runId,
    events: [...kept],
    append: async (event) => {
      if (isClosed) throw new Error("the journal is closed");
      kept.push(structuredClone(event));
    },
    close: async () => {
      isClosed = true;
      release();
    },
  };
}

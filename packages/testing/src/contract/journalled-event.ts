import type { JournalledEvent } from "@haft/core/stores";

/** Returns an event complete enough for a journal that validates what it reads. */
export function journalledEvent(runId: string, seq: number): JournalledEvent {
  const body = {
    v: 1,
    at: "2026-01-01T00:00:00.000Z",
    type: "message.user",
    id: `${seq}`,
    text: "odd \ud800\n",
  };
  return { ...body, runId, seq } as JournalledEvent;
}

import type { ChangeJournalStore } from "../journal/change-journal-store.js";

/** A journal of changes in memory. */
export function memoryChangeJournalStore<Line = unknown>(): ChangeJournalStore<Line> {
  let lines: Line[] = [];
  let generation = 0;
  return {
    read: async (after = "") => {
      const [of, count] = after.split(":").map(Number);
      const isWhole = of !== generation || count === undefined;
      const position = `${generation}:${lines.length}`;
      return { lines: structuredClone(lines.slice(isWhole ? 0 : count)), position, isWhole };
    },
    append: async (line) => {
      lines.push(structuredClone(line));
    },
    replace: async (fresh) => {
      lines = [...structuredClone(fresh)];
      generation += 1;
    },
  };
}

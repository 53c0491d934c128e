import { statSync, unlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { ToolError } from "@haft/core";
import type { RunJournalStore } from "@haft/core/stores";
import { type KeepLimits, readStateFile } from "@haft/runtime-node/state";
import type { DurableEvent } from "../event/run-event.js";
import { parseJournal } from "../journal/journal-lines.js";
import { DEFAULT_RUN_LIMITS, pruneRuns } from "./prune-runs.js";
import {
  assertRunId,
  journalsIn,
  listRuns,
  lockOf,
  openRunJournal,
  type StoredRun,
} from "./run-journal-file.js";
import { takeWriterLock } from "./writer-lock.js";

/** Stores run journals as JSON lines in one folder, one file per run. */
export class FileRunJournalStore implements RunJournalStore<DurableEvent> {
  readonly #directory: string;
  /** The end of each journal when last read, to avoid parsing unchanged files. */
  readonly #ends = new Map<string, JournalEnd>();

  constructor(directory: string) {
    this.#directory = directory;
  }

  async open(runId: string) {
    return openRunJournal({ directory: this.#directory, runId });
  }

  async list(): Promise<readonly string[]> {
    return journalsIn(this.#directory)
      .filter((path) => this.#hasEvents(path))
      .map((path) => basename(path, ".jsonl"));
  }

  async read(runId: string, afterSeq = 0): Promise<readonly DurableEvent[]> {
    const path = this.#path(runId);
    const known = this.#ends.get(path);
    if (known !== undefined && known.seq <= afterSeq && known.size === sizeOf(path)) return [];
    return this.#parse(path).filter(({ seq }) => seq > afterSeq);
  }

  async remove(runId: string): Promise<boolean> {
    const path = this.#path(runId);
    if (!journalsIn(this.#directory).includes(path)) return false;
    try {
      const release = takeWriterLock(lockOf(path));
      try {
        unlinkSync(path);
        return true;
      } finally {
        release();
      }
    } catch (thrown) {
      if (isGone(thrown) || (ToolError.is(thrown) && thrown.code === "RUN_BUSY")) return false;
      throw thrown;
    }
  }

  /** Returns every run with events, oldest first. Skips unreadable ones. */
  runs(): readonly StoredRun[] {
    return listRuns(this.#directory);
  }

  /** Deletes the oldest runs beyond the limits, except running ones and those waiting for approval. Never throws. */
  prune(limits: KeepLimits = DEFAULT_RUN_LIMITS): void {
    pruneRuns(this.#directory, limits);
  }

  /** Lists damaged journals too; `read` reports the damage. */
  #hasEvents(path: string): boolean {
    const known = this.#ends.get(path);
    if (known?.size === sizeOf(path)) return known.seq > 0;
    try {
      return this.#parse(path).length > 0;
    } catch (thrown) {
      if (ToolError.is(thrown)) return true;
      throw thrown;
    }
  }

  #parse(path: string): readonly DurableEvent[] {
    // Taken first, so that events appended meanwhile are read next time.
    const size = sizeOf(path);
    const events = eventsIn(path);
    this.#ends.set(path, { size, seq: events.at(-1)?.seq ?? 0 });
    return events;
  }

  #path(runId: string): string {
    assertRunId(runId);
    return join(this.#directory, `${runId}.jsonl`);
  }
}

interface JournalEnd {
  readonly size: number;
  readonly seq: number;
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function eventsIn(path: string): readonly DurableEvent[] {
  const bytes = readStateFile(path);
  return bytes === undefined ? [] : parseJournal(bytes).events;
}

function isGone(thrown: unknown): boolean {
  return (thrown as NodeJS.ErrnoException).code === "ENOENT";
}

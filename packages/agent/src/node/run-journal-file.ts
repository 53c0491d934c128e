import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { ToolError } from "@haft/core";
import { isLocked, makeFolder, namesInState, readStateFile } from "@haft/runtime-node/state";
import { changedPaths } from "../event/changed-paths.js";
import type { DurableEvent } from "../event/run-event.js";
import { DiskJournal, type JournalDisk } from "../journal/disk-journal.js";
import { parseJournal } from "../journal/journal-lines.js";
import type { RunJournal } from "../journal/run-journal.js";
import { foldEvents } from "../state/evolve.js";
import type { RunState } from "../state/run-state.js";
import { fileDisk } from "./file-disk.js";
import { takeWriterLock } from "./writer-lock.js";

interface RunJournalOptions {
  /** The folder of the journals, one file per run; created if missing. Keep it outside the workspace. */
  readonly directory: string;
  /** The run to resume, or the id of a new one. Default: a random id. */
  readonly runId?: string;
}

/** Opens the journal of a run for this process alone. Throws RUN_BUSY while another process drives it. */
export function openRunJournal({ directory, runId = randomUUID() }: RunJournalOptions): RunJournal {
  assertRunId(runId);
  makeFolder(directory);
  const path = join(directory, `${runId}${ENDING}`);
  const release = takeWriterLock(lockOf(path));
  try {
    return onDisk(runId, fileDisk(path, release));
  } catch (thrown) {
    release();
    throw thrown;
  }
}

function onDisk(runId: string, disk: JournalDisk): RunJournal {
  try {
    return new DiskJournal(runId, disk);
  } catch (thrown) {
    disk.close();
    throw thrown;
  }
}

/** A run read from its journal. */
export interface StoredRun {
  readonly runId: string;
  /** The user's first message. */
  readonly task: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly state: RunState;
  /** Whether a process drives it. */
  readonly isDriven: boolean;
  /** Paths of the files it changed. */
  readonly changed: readonly string[];
  readonly events: readonly DurableEvent[];
}

/** Lists the runs in a folder, oldest first, including running ones. Skips unreadable ones. */
export function listRuns(directory: string): readonly StoredRun[] {
  return journalsIn(directory)
    .flatMap(readRun)
    .sort((a, b) => (a.startedAt < b.startedAt ? -1 : 1));
}

const ENDING = ".jsonl";

export function journalsIn(directory: string): readonly string[] {
  return namesInState(directory)
    .filter((name) => name.endsWith(ENDING))
    .map((name) => join(directory, name));
}

/** Returns the path of the writer's lock. */
export function lockOf(path: string): string {
  return `${path.slice(0, -ENDING.length)}.lock`;
}

/** Returns nothing if the journal is empty or unreadable. */
export function readRun(path: string): readonly StoredRun[] {
  try {
    const { events } = parseJournal(readStateFile(path) ?? new Uint8Array());
    const [first] = events;
    if (first === undefined) return [];
    const message = events.find((event) => event.type === "message.user");
    const task = message?.type === "message.user" ? message.text : "";
    const changed = events.flatMap((event) =>
      event.type === "call.settled" ? event.effects.map(({ path }) => path) : [],
    );
    return [
      {
        runId: first.runId,
        task,
        startedAt: first.at,
        state: foldEvents(events),
        isDriven: isLocked(lockOf(path)),
        changed: changedPaths(new Set(changed)),
        events,
      },
    ];
  } catch {
    return [];
  }
}

/** The id becomes a file name. */
export function assertRunId(runId: string): void {
  if (/^[A-Za-z0-9_-]{1,80}$/.test(runId)) return;
  throw new ToolError("INVALID_ARGUMENTS", `${JSON.stringify(runId.slice(0, 80))} is not a valid run id`);
}

import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ToolError } from "@haft/core";
import { makeFolder } from "@haft/runtime-node/state";
import { DiskJournal, type JournalDisk } from "../journal/disk-journal.js";
import { parseJournal } from "../journal/journal-lines.js";
import type { RunJournal } from "../journal/run-journal.js";
import { foldEvents } from "../state/evolve.js";
import type { RunState } from "../state/run-state.js";
import { fileDisk } from "./file-disk.js";
import { takeWriterLock } from "./writer-lock.js";

export interface RunJournalOptions {
  /** Where runs are kept, one file each; made when it is not there. Keep it out of the workspace. */
  readonly directory: string;
  /** The run to take up, or the id of a new one. Made up when left out. */
  readonly runId?: string;
}

/** Opens the journal of a run on disk, for this process alone. Throws RUN_BUSY while another one drives it. */
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

/** A run as its journal tells it. */
export interface StoredRun {
  readonly runId: string;
  /** What the user said first. */
  readonly task: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly state: RunState;
}

/** The runs kept in a directory, oldest first, whoever drives them. One that cannot be read is left out. */
export function listRuns(directory: string): readonly StoredRun[] {
  return journalsIn(directory)
    .flatMap(readRun)
    .sort((a, b) => (a.startedAt < b.startedAt ? -1 : 1));
}

const ENDING = ".jsonl";

/** The files of all runs. */
export function journalsIn(directory: string): readonly string[] {
  return namesIn(directory)
    .filter((name) => name.endsWith(ENDING))
    .map((name) => join(directory, name));
}

/** Held by whoever writes to a journal. */
export function lockOf(path: string): string {
  return `${path.slice(0, -ENDING.length)}.lock`;
}

/** None when the journal is empty or cannot be read. */
export function readRun(path: string): readonly StoredRun[] {
  try {
    const { events } = parseJournal(readFileSync(path));
    const [first] = events;
    if (first === undefined) return [];
    const said = events.find((event) => event.type === "message.user");
    const task = said?.type === "message.user" ? said.text : "";
    return [{ runId: first.runId, task, startedAt: first.at, state: foldEvents(events) }];
  } catch {
    return [];
  }
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw thrown;
  }
}

/** It becomes the name of a file. */
function assertRunId(runId: string): void {
  if (/^[A-Za-z0-9_-]{1,80}$/.test(runId)) return;
  throw new ToolError("INVALID_ARGUMENTS", `${JSON.stringify(runId.slice(0, 80))} is not the id of a run`);
}

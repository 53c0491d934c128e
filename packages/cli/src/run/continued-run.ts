import type { FileRunJournalStore } from "@haft/agent/node";
import type { CliIo } from "../cli-io.js";
import { findRun, runStore } from "./run-store.js";

export interface ContinueChoice {
  readonly workspace?: string;
  readonly task?: string;
  /** The id of the session to continue; true for the newest. */
  readonly continue?: string | true;
  /** Deprecated name of the option. */
  readonly resume?: string;
}

export interface RunStart {
  readonly store: FileRunJournalStore;
  readonly runId: string;
  readonly isNew: boolean;
  readonly task?: string;
}

/** Chooses the session a command starts or continues, and its first task. */
export function runStart(choice: ContinueChoice, io: CliIo): RunStart {
  const store = runStore(choice.workspace, io);
  const { task, continue: chosen = choice.resume } = choice;
  const given = task === undefined ? {} : { task };
  if (chosen === undefined) return { store, runId: crypto.randomUUID().slice(0, 13), isNew: true, ...given };
  if (typeof chosen === "string" && task === undefined && isTask(chosen, store))
    return { store, runId: findRun(store, "last").runId, isNew: false, task: chosen };
  const wanted = chosen === true ? "last" : chosen;
  return { store, runId: findRun(store, wanted).runId, isNew: false, ...given };
}

/** `--continue "and now the tests"` continues the newest session, because ids contain no spaces. */
function isTask(text: string, store: FileRunJournalStore): boolean {
  return /\s/.test(text) && !store.runs().some(({ runId }) => runId === text);
}

/** The message that continues the work after an interruption, a failure or a limit. */
export const CONTINUE_MESSAGE = "Continue where you stopped.";

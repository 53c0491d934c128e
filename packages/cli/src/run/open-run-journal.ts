import { realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import type { RunJournal } from "@haft/agent";
import { listRuns, openRunJournal, pruneRuns } from "@haft/agent/node";
import { stateDirectoryOf } from "@haft/runtime-node";
import type { CliIo } from "../cli-io.js";
import type { RuntimeChoices } from "../open/runtime-choices.js";
import { UsageError } from "../usage-error.js";

export interface JournalChoice extends Pick<RuntimeChoices, "workspace"> {
  /** The id of a run to go on with, or "last". */
  readonly resume?: string;
}

/** The journal of a new run, or of one that was left. It lies with what else is kept for the workspace. */
export function openRunJournalFor({ workspace, resume }: JournalChoice, { cwd, env }: CliIo): RunJournal {
  const root = realpathSync(resolve(cwd, workspace ?? "."));
  const directory = join(stateDirectoryOf(root, env), "runs");
  if (resume !== undefined) return openRunJournal({ directory, runId: unfinishedRun(directory, resume) });
  const journal = openRunJournal({ directory, runId: crypto.randomUUID().slice(0, 13) });
  pruneRuns(directory);
  return journal;
}

function unfinishedRun(directory: string, resume: string): string {
  const runs = listRuns(directory);
  const open = runs.filter(({ state }) => state.status !== "done");
  const found = resume === "last" ? open.at(-1) : runs.find(({ runId }) => runId === resume);
  const others = open.map(({ runId }) => runId).join(", ");
  const hint = open.length === 0 ? "No run was left here." : `Left here: ${others}.`;
  if (found === undefined) throw new UsageError("RUN_NOT_FOUND", `There is no run ${shown(resume)}`, hint);
  if (found.state.status === "done")
    throw new UsageError("RUN_OVER", `The run ${shown(resume)} is over`, `Start a new one. ${hint}`);
  return found.runId;
}

function shown(resume: string): string {
  return JSON.stringify(resume.slice(0, 80));
}

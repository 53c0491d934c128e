import { realpathSync } from "node:fs";
import { join } from "node:path";
import { FileRunJournalStore, type StoredRun } from "@haft/agent/node";
import { stateDirectoryOf } from "@haft/runtime-node";
import type { CliIo } from "../cli-io.js";
import { workspaceFolder } from "../open/workspace-folder.js";
import { UsageError } from "../usage-error.js";

/** Opens the sessions of a workspace, stored in its state folder outside the workspace. */
export function runStore(workspace: string | undefined, io: Pick<CliIo, "cwd" | "env">): FileRunJournalStore {
  const folder = realpathSync(workspaceFolder(workspace, io));
  return new FileRunJournalStore(join(stateDirectoryOf(folder, io.env), "runs"));
}

/** Finds a session by id, id prefix, or "last". */
export function findRun(store: FileRunJournalStore, wanted: string): StoredRun {
  const runs = store.runs();
  const found =
    wanted === "last"
      ? newest(runs)
      : only(
          runs.filter(({ runId }) => runId.startsWith(wanted)),
          wanted,
        );
  if (found !== undefined) return found;
  if (runs.length === 0)
    throw new UsageError("RUN_NOT_FOUND", "No session found", 'Start one with: haft run "TASK"');
  throw new UsageError(
    "RUN_NOT_FOUND",
    `No session starts with ${JSON.stringify(wanted.slice(0, 80))}`,
    "haft runs lists them.",
  );
}

function newest(runs: readonly StoredRun[]): StoredRun | undefined {
  return [...runs].sort((a, b) => (a.state.lastAt < b.state.lastAt ? -1 : 1)).at(-1);
}

function only(runs: readonly StoredRun[], wanted: string): StoredRun | undefined {
  const exact = runs.find(({ runId }) => runId === wanted);
  if (exact !== undefined || runs.length < 2) return exact ?? runs[0];
  const ids = runs.map(({ runId }) => runId).join(", ");
  throw new UsageError("RUN_NOT_FOUND", `More than one session starts with ${JSON.stringify(wanted)}`, ids);
}

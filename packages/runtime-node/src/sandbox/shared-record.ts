import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { disablePlanted } from "./disable-planted.js";
import { finishReplacing } from "./replace-built.js";
import { isAbandoned, makeRunFolder, removeRunFolder, SHARED } from "./run-folder.js";
import { type ScannedWorkspace, scanWorkspace, type WorkspaceScan } from "./workspace-scan.js";

/**
 * Writes down which folders a command works in directly. If this process is killed, nobody disables what the command
 * has planted there until the next start. Returns a function that removes the record.
 */
export function recordShared(
  {
    scan,
    workspace,
  }: { readonly scan: Pick<WorkspaceScan, "ignored">; readonly workspace: { root: string } },
  parent: string,
): () => void {
  if (scan.ignored.length === 0) return () => {};
  const folder = makeRunFolder(parent);
  const record: SharedRecord = { root: workspace.root, shared: scan.ignored };
  writeFileSync(join(folder, SHARED), JSON.stringify(record), { mode: 0o600 });
  return () => {
    rmSync(join(folder, SHARED), { force: true });
    void removeRunFolder(folder);
  };
}

interface SharedRecord {
  readonly root: string;
  readonly shared: readonly string[];
}

/**
 * Completes what killed processes were replacing in the folders that their commands changed directly, and disables what
 * these commands have planted there. No result exists yet that could tell the user, so warnings are emitted by the
 * process. A record that cannot be processed stays, so that the next start tries again.
 */
export function disableAbandoned(workspace: ScannedWorkspace, parent: string): void {
  for (const name of namesIn(parent).filter((each) => isAbandoned(parent, each))) {
    const folder = join(parent, name);
    try {
      followRecord(workspace, folder, Number.parseInt(name, 10));
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      process.emitWarning(`${join(folder, SHARED)}: ${NOT_FOLLOWED}: ${why}`);
    }
  }
}

const NOT_FOLLOWED =
  "a command of a killed process worked in the folders that it lists, and what it left there could not be checked for repositories and settings of editors";

function followRecord(workspace: ScannedWorkspace, folder: string, owner: number): void {
  const record = recordIn(folder);
  if (record !== undefined && record.root !== workspace.root) return;
  if (record !== undefined) finishReplacing(workspace.root, record.shared, owner);
  // It may also be a repository that the user has cloned there since.
  if (record !== undefined) for (const warning of disabledIn(workspace, record)) process.emitWarning(warning);
  rmSync(join(folder, SHARED), { force: true });
}

function disabledIn(workspace: ScannedWorkspace, record: SharedRecord): readonly string[] {
  // Nothing was planted there before: a folder with such files is not shared.
  const before = { guarded: new Map(), repositories: [] };
  return disablePlanted({ ...record, before, scan: () => scanWorkspace(workspace) });
}

function namesIn(parent: string): readonly string[] {
  try {
    return readdirSync(parent);
  } catch {
    return [];
  }
}

function recordIn(folder: string): SharedRecord | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, SHARED), "utf8")) as SharedRecord;
  } catch {
    // There is no record, or the process died while writing it: the command had not started.
    return undefined;
  }
}

import { join } from "node:path";
import type { CodeSandbox, SandboxOutcome, SandboxRequest } from "@haft/core/capabilities";
import type { BoxContext, RunContext, SandboxOptions } from "./box-context.js";
import { type BoxSettings, boxSettings } from "./box-settings.js";
import { BusyFolders, packagesNote } from "./busy-folders.js";
import { withoutClosedHistory } from "./closed-workspace.js";
import { ControlGroups, sweepControlGroups } from "./control-group.js";
import { findBubblewrap, type SandboxPrograms, unavailable } from "./find-bubblewrap.js";
import { hostToolchains } from "./host-toolchains.js";
import { OpenViews } from "./open-view.js";
import { PreparedBoxes } from "./prepared-boxes.js";
import { runAhead } from "./run-ahead.js";
import { runAlone } from "./run-alone.js";
import { canRunPrepared, runPrepared } from "./run-prepared.js";
import { runRenaming } from "./run-renaming.js";
import { recordShared } from "./shared-record.js";
import type { WorkspaceScan } from "./workspace-scan.js";
import { WorkspaceScanner } from "./workspace-scanner.js";

/** Runs code and commands in separate boxes. Probes once, before the first run. */
export function bubblewrapSandbox(options: SandboxOptions): CodeSandbox {
  const { workspace } = options;
  const boxes = new PreparedBoxes(options.freeTurns);
  const common = {
    ...options,
    views: new OpenViews(workspace, options),
    scanner: new WorkspaceScanner(workspace, options.isIgnored),
    boxes,
    groups: new ControlGroups(),
    busy: new BusyFolders(),
    toolchains: hostToolchains(options.env ?? {}, workspace.root),
  };
  let programs: Promise<SandboxPrograms> | undefined;
  let settings: BoxSettings | undefined;
  return {
    tier: "bubblewrap",
    async run(request, signal) {
      if (workspace.root === "/") throw unavailable("the workspace is the whole disk");
      if (programs === undefined) sweepControlGroups();
      programs ??= findBubblewrap();
      const found = await programs;
      settings ??= boxSettings(options.stateDirectory, common.toolchains);
      return runInBox(request, { ...common, programs: found, settings }, signal);
    },
    async dispose() {
      await boxes.dispose();
      common.groups.close();
    },
  };
}

async function runInBox(
  given: SandboxRequest,
  setting: BoxContext,
  signal: AbortSignal,
): Promise<SandboxOutcome> {
  const { workspace } = setting;
  const { path } = await workspace.locate(given.cwd ?? ".");
  const cwd = workspace.absolute(path === "" ? "." : path);
  signal.throwIfAborted();
  const ahead = await runAhead(given, { ...setting, signal, cwd, startedAtMs: Date.now() });
  if (ahead !== undefined) return ahead;
  signal.throwIfAborted();
  const startedAtMs = Date.now();
  const scan = await scanFor(given, setting);
  const { request, warnings: withheld } = withoutClosedHistory(given, workspace, scan);
  const run = { ...setting, signal, scan, cwd, startedAtMs, withheld };
  // A background command has a read-only view, so it keeps its shared folders, even if other commands removed them.
  const isShared = (request.passThrough ?? "none") !== "none" && request.live !== true;
  return runRenaming(request, run, isShared ? runSharing : runOnce);
}

/**
 * Runs a command with shared folders. If it fails because it removes or renames one of them (`rm -rf dist && tsc`), runs
 * it again with that folder in its view. The first run has had no other effect, unless it could reach the network.
 */
async function runSharing(request: SandboxRequest, run: RunContext): Promise<SandboxOutcome> {
  const release = recordShared(run, join(run.stateDirectory, "sandbox"));
  try {
    return await runShared(request, run);
  } finally {
    release();
  }
}

async function runShared(request: SandboxRequest, run: RunContext): Promise<SandboxOutcome> {
  const { busy, scan, signal } = run;
  const withBusy = () => ({
    ...run,
    scan: busy.without(scan, request),
    rebuilt: busy.heldBack(scan, request),
  });
  const first = await runOnce(request, withBusy());
  const folders = busy.learn(first);
  const told = [...packagesNote(first), ...(folders.length === 0 ? [] : [sharedNote(folders)])];
  if (folders.length === 0 || request.network !== undefined || request.repository === "write")
    return { ...first, warnings: [...first.warnings, ...told] };
  signal.throwIfAborted();
  const again = await runOnce(request, { ...withBusy(), startedAtMs: Date.now() });
  return { ...again, warnings: [...again.warnings, ...told] };
}

function sharedNote(folders: readonly string[]): string {
  return `${folders.join(", ")}: removed or renamed by the command, which a shared folder does not allow. From now on commands get it in their view, and undo covers what they change there`;
}

function runOnce(request: SandboxRequest, run: RunContext): Promise<SandboxOutcome> {
  return canRunPrepared(request) ? runPrepared(request, run) : runAlone(request, run);
}

/** Scans the workspace. A copy needs exact sizes, and reads everything anyway. */
async function scanFor(request: SandboxRequest, { scanner, views }: BoxContext): Promise<WorkspaceScan> {
  const scan = scanner.scan(request);
  return (await views.isLayer(scan)) ? scan : scanner.scanAnew(request);
}

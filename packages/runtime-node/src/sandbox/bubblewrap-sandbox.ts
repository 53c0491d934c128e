import type { CodeSandbox, SandboxOutcome, SandboxRequest, WorkspaceStore } from "@haft/core";
import { bubblewrapArguments } from "./bubblewrap-arguments.js";
import { ControlGroup } from "./control-group.js";
import { findBubblewrap, type SandboxPrograms, unavailable } from "./find-bubblewrap.js";
import { outcomeOf } from "./limit-hit.js";
import { OpenViews, type ViewOptions } from "./open-view.js";
import type { SandboxLimits } from "./sandbox-limits.js";
import { runSandboxed, type SandboxLaunch } from "./sandboxed-process.js";
import { seccompFilter } from "./seccomp-filter.js";
import { viewChanges } from "./view-changes.js";
import { scanWorkspace, type WorkspaceScan } from "./workspace-scan.js";
import type { WorkspaceView } from "./workspace-view.js";

export interface BubblewrapOptions extends ViewOptions {
  readonly workspace: Pick<WorkspaceStore, "root" | "vet" | "local" | "locate" | "absolute">;
  readonly limits: SandboxLimits;
}

/** Code in a box of its own. Whether one can be made here is found out once, before the first run. */
export function bubblewrapSandbox(options: BubblewrapOptions): CodeSandbox {
  const views = new OpenViews(options.workspace, options);
  let programs: Promise<SandboxPrograms> | undefined;
  return {
    tier: "bubblewrap",
    async run(request, signal) {
      if (options.workspace.root === "/") throw unavailable("the workspace is the whole disk");
      programs ??= findBubblewrap();
      return runInBox(request, { ...options, views, programs: await programs, signal });
    },
  };
}

interface BoxSetting extends BubblewrapOptions {
  readonly views: OpenViews;
  readonly programs: SandboxPrograms;
  readonly signal: AbortSignal;
}

async function runInBox(request: SandboxRequest, setting: BoxSetting): Promise<SandboxOutcome> {
  const { workspace, limits, views, signal } = setting;
  const { path } = await workspace.locate(request.cwd ?? ".");
  const cwd = workspace.absolute(path === "" ? "." : path);
  signal.throwIfAborted();
  const startedAtMs = Date.now();
  const scan = scanWorkspace(workspace);
  const { view, warnings } = await views.open(scan, signal);
  const group = ControlGroup.create(limits);
  try {
    const end = await runSandboxed(launchOf(request, { ...setting, scan, view, group, cwd }), signal);
    const outcome = outcomeOf(end, group);
    // Only when nobody is left does what was found stay what it is.
    await group.remove();
    if (end.endedBy !== undefined)
      return { ...outcome, ...NOTHING_FOUND, warnings: [...warnings, NOTHING_KEPT] };
    const found = viewChanges({ workspace, view, scan, startedAtMs });
    return { ...outcome, ...found, warnings: [...warnings, ...found.warnings] };
  } finally {
    await group.remove();
    view.close();
  }
}

interface LaunchSetting extends BoxSetting {
  readonly scan: WorkspaceScan;
  readonly view: WorkspaceView;
  readonly group: ControlGroup;
  readonly cwd: string;
}

export const NOTHING_FOUND = { changes: [], conflicts: [] } as const;

/** What was cut off in the middle is nothing anybody asked for. */
export const NOTHING_KEPT = "it was stopped, so none of its changes to files were kept";

function launchOf(request: SandboxRequest, setting: LaunchSetting): SandboxLaunch {
  const { workspace, limits, programs, group, scan, view, cwd } = setting;
  const { script, env = {}, stdin, timeoutMs } = request;
  const { bind, wrapper } = view.launch;
  const filter = seccompFilter(process.arch);
  const scriptPath = `/tmp/${script?.name ?? ""}`;
  const box = bubblewrapArguments({
    root: workspace.root,
    cwd,
    bind,
    scan,
    env,
    script: script === undefined ? undefined : { descriptor: SCRIPT_DESCRIPTOR, path: scriptPath },
    filterDescriptor: filter === undefined ? undefined : FILTER_DESCRIPTOR,
  });
  const command = request.argv.map((argument) => (argument === "{script}" ? scriptPath : argument));
  return {
    argv: [
      ...joining(group),
      ...limiting(programs.prlimit, limits, group),
      ...wrapper,
      ...[programs.bwrap, "--args", String(ARGUMENTS_DESCRIPTOR), "--", ...command],
    ],
    stdin,
    data: [Buffer.from(`${box.join("\0")}\0`), Buffer.from(script?.content ?? ""), filter ?? Buffer.alloc(0)],
    timeoutMs,
    outputBytes: limits.outputBytes,
    disk: diskLimit(view, 2 * limits.fileSizeMb),
    onReady: wrapper.length === 0 ? undefined : (pid) => view.attach(pid),
  };
}

// The box takes its own arguments from a descriptor: there can be many masks, and nobody sees them in a process list.
const ARGUMENTS_DESCRIPTOR = 3;
const SCRIPT_DESCRIPTOR = 4;
const FILTER_DESCRIPTOR = 5;
const MEGABYTE = 1024 * 1024;

/** What one run may write in all. */
export function diskLimit({ written, startBytes }: WorkspaceView, megabytes: number): SandboxLaunch["disk"] {
  return { path: written, startBytes, maxBytes: megabytes * MEGABYTE };
}

/** A process can only put itself into a group before it starts anything, so a fixed script does that and becomes the rest. */
function joining({ joinFiles }: ControlGroup): readonly string[] {
  if (joinFiles.length === 0) return [];
  const script = 'while [ "$1" != -- ]; do echo $$ > "$1" || exit 126; shift; done; shift; exec "$@"';
  return ["/bin/sh", "-c", script, "sh", ...joinFiles, "--"];
}

function limiting(prlimit: string, limits: SandboxLimits, group: ControlGroup): readonly string[] {
  const { memoryMb, cpuSeconds, fileSizeMb, openFiles, processes } = limits;
  // Address space is not memory: where memory itself is counted it gets room.
  const addressMb = group.limitsMemory ? Math.max(3 * 1024, 3 * memoryMb) : memoryMb;
  return [
    prlimit,
    `--as=${addressMb * MEGABYTE}`,
    `--fsize=${fileSizeMb * MEGABYTE}`,
    `--nofile=${openFiles}`,
    "--core=0",
    // At the soft limit a program is told, a second later it is ended.
    `--cpu=${cpuSeconds}:${cpuSeconds + 1}`,
    // It does nothing for root, and counts all processes of a user: only where there is nothing better.
    ...(group.limitsProcesses ? [] : [`--nproc=${processes}`]),
    "--",
  ];
}

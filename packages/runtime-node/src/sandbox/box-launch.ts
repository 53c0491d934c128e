import type { Redact } from "@haft/core";
import type { SandboxRequest } from "@haft/core/capabilities";
import type { RecorderOptions } from "../process/output-recorder.js";
import { codeEnvironment, commandEnvironment } from "./box-environment.js";
import type { BoxNetwork } from "./box-network.js";
import type { BoxSettings } from "./box-settings.js";
import { bubblewrapArguments, memoryFolders } from "./bubblewrap-arguments.js";
import type { ControlGroup } from "./control-group.js";
import { fileMask } from "./file-mask.js";
import type { SandboxPrograms } from "./find-bubblewrap.js";
import type { HostToolchains } from "./host-toolchains.js";
import { processLimit, ulimits } from "./process-limits.js";
import type { SandboxLimits } from "./sandbox-limits.js";
import type { SandboxLaunch } from "./sandboxed-process.js";
import { seccompFilter } from "./seccomp-filter.js";
import type { WorkspaceScan } from "./workspace-scan.js";
import type { WorkspaceView } from "./workspace-view.js";

export interface LaunchOptions {
  readonly workspace: { readonly root: string };
  readonly limits: SandboxLimits;
  readonly programs: SandboxPrograms;
  readonly toolchains: HostToolchains;
  readonly settings: BoxSettings;
  readonly scan: WorkspaceScan;
  readonly view: WorkspaceView;
  readonly group: ControlGroup;
  /** Absolute. */
  readonly cwd: string;
  readonly shared: readonly string[];
  readonly network?: BoxNetwork | undefined;
  /** Connect the box with the host: each mounts something and runs before the command. */
  readonly bridges?: readonly Pick<BoxNetwork, "mounts" | "bridge">[] | undefined;
  /** Whether the box waits for its command and watches itself. */
  readonly isWaiting?: boolean;
  readonly redact?: Redact | undefined;
  readonly logDirectory?: string | undefined;
}

/** Returns the command line that creates the box for a request. */
export function launchOf(request: SandboxRequest, options: LaunchOptions): SandboxLaunch {
  const { limits, programs, group, view, bridges = [] } = options;
  const { script, stdin, timeoutMs } = request;
  const toolchains = toolchainsFor(request, options);
  const { wrapper } = view.launch;
  const filter = seccompFilter(process.arch);
  const box = boxArguments(request, options, filter !== undefined);
  const given = request.argv.map((argument) => (argument === "{script}" ? scriptPath(request) : argument));
  const command = options.isWaiting
    ? given
    : [...bridges.flatMap(({ bridge }) => bridge), ...watching(toolchains), ...given];
  return {
    argv: [
      ...confining(limits, group, toolchains !== undefined),
      ...wrapper,
      ...[programs.bwrap, "--args", String(ARGUMENTS_DESCRIPTOR), "--", ...command],
    ],
    stdin,
    onInput: request.onInput,
    data: [Buffer.from(`${box.join("\0")}\0`), Buffer.from(script?.content ?? ""), filter ?? Buffer.alloc(0)],
    timeoutMs,
    output: toolchains ? recordingOf(request, options) : { keptBytes: limits.outputBytes / 2 },
    disk: diskLimit(view, 2 * limits.fileSizeMb),
    memoryFolders: memoryFolders(toolchains),
    onReady: wrapper.length === 0 ? undefined : (pid) => view.attach(pid),
    group: {
      memoryMb: group.limitsMemory ? undefined : limits.memoryMb,
      processes: group.limitsProcesses ? undefined : limits.processes,
      cpuSeconds: limits.cpuSeconds,
    },
    hasStatus: true,
  };
}

/** Returns the arguments of bubblewrap: what the box mounts, and its environment. */
function boxArguments(
  request: SandboxRequest,
  options: LaunchOptions,
  isFiltered: boolean,
): readonly string[] {
  const { workspace, settings, scan, view, cwd, shared, network, bridges = [] } = options;
  const { script, env = {}, repository, gitFolders } = request;
  const { bind, absent } = view.launch;
  const toolchains = toolchainsFor(request, options);
  return bubblewrapArguments({
    root: workspace.root,
    cwd,
    bind,
    absent,
    scan,
    env: toolchains
      ? commandEnvironment(env, toolchains, network?.env)
      : codeEnvironment(env, workspace.root),
    settings: settings.mounts,
    fileMask: fileMask(request, settings.emptyFile),
    mounts: bridges.flatMap(({ mounts }) => mounts),
    toolchains,
    shared,
    repository,
    gitFolders,
    script: script && { descriptor: SCRIPT_DESCRIPTOR, path: scriptPath(request) },
    filterDescriptor: isFiltered ? FILTER_DESCRIPTOR : undefined,
  });
}

/** Code gets no toolchains of the host; commands do. */
function toolchainsFor({ kind }: SandboxRequest, { toolchains }: LaunchOptions): HostToolchains | undefined {
  return kind === "command" ? toolchains : undefined;
}

function scriptPath({ script }: SandboxRequest): string {
  return `/tmp/${script?.name ?? ""}`;
}

/** Logs long command output and streams it, without secrets. */
export function recordingOf(
  { onOutput }: SandboxRequest,
  { redact, logDirectory }: Pick<LaunchOptions, "redact" | "logDirectory">,
): RecorderOptions {
  return { redact, logDirectory, onOutput };
}

// The box reads its arguments from a descriptor: there can be many masks, and they stay out of the process list.
const ARGUMENTS_DESCRIPTOR = 3;
export const SCRIPT_DESCRIPTOR = 4;
const FILTER_DESCRIPTOR = 5;
export const STATUS_DESCRIPTOR = 7;
const MEGABYTE = 1024 * 1024;

/**
 * Runs nothing until the host has answered from inside the box. `--die-with-parent` covers a process only after it
 * has requested the signal from the kernel, and the box's first process requests it late: it has done so once it
 * sleeps in wait(). An answer then proves that the host was alive, so the whole chain dies with it. A write alone
 * would not prove it: the descriptors of a killed host stay open until its memory is torn down, and a box that starts
 * meanwhile would stay.
 */
export const ASKS_HOST = [
  `while read -r _answer < /proc/1/stat; do case "$_answer" in *") S "*) break;; esac; done`,
  `printf + >&${STATUS_DESCRIPTOR} && read -r _answer <&${STATUS_DESCRIPTOR} || exit 125`,
  "unset _answer",
].join("; ");

/**
 * Starts the program of a box. After a command it reports how many processes are left: the box's first one, this
 * shell, and any that outlived the command.
 */
function watching(toolchains: HostToolchains | undefined): readonly string[] {
  if (toolchains === undefined)
    return ["/bin/sh", "-c", `${ASKS_HOST}; exec "$@" ${STATUS_DESCRIPTOR}>&-`, "sh"];
  const told = `status=$?; set -- /proc/[0-9]*; echo "$# $status" >&${STATUS_DESCRIPTOR}; exit $status`;
  return ["bash", "-c", `${ASKS_HOST}; "$@" ${STATUS_DESCRIPTOR}>&-; ${told}`, "bash"];
}

/** Returns the total amount that one run may write. */
export function diskLimit({ written, startBytes }: WorkspaceView, megabytes: number): SandboxLaunch["disk"] {
  return { path: written, startBytes, maxBytes: megabytes * MEGABYTE };
}

/**
 * Adds a process to its group and limits it. Only the process itself can do that, before it starts anything, so a
 * fixed script does both and then becomes the program. This saves starting prlimit.
 */
function confining(limits: SandboxLimits, group: ControlGroup, isCommand: boolean): readonly string[] {
  const script = [
    'while [ "$1" != -- ]; do echo $$ > "$1" || exit 126; shift; done; shift',
    `ulimit ${ulimits(limits, group, isCommand).join(" && ulimit ")} || exit 126`,
    // The last resort. Shells differ.
    ...(group.limitsProcesses
      ? []
      : [LIMIT_PROCESSES.replaceAll("COUNT", () => String(processLimit(limits)))]),
    'exec "$@"',
  ].join("; ");
  return ["/bin/sh", "-c", script, "sh", ...group.joinFiles, "--"];
}

const LIMIT_PROCESSES =
  "{ (ulimit -u COUNT) 2>/dev/null && ulimit -u COUNT; } || { (ulimit -p COUNT) 2>/dev/null && ulimit -p COUNT; } || exit 126";

import { realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { ToolError } from "@haft/core";
import type { CodeSandbox, SandboxOutcome, SandboxRequest } from "@haft/core/capabilities";
import { packageEntry } from "../packs/package-entry.js";
import { directoryOf, installedPackage, type PackageFolder } from "../packs/package-folder.js";
import type { SandboxOptions } from "./box-context.js";
import { codeEnvironment } from "./box-environment.js";
import { diskLimit } from "./box-launch.js";
import { NOTHING_FOUND, NOTHING_KEPT } from "./box-outcome.js";
import { withClosedPaths } from "./closed-workspace.js";
import { copiedView, fitsCopy, MAX_COPIED } from "./copied-view.js";
import { unavailable } from "./find-bubblewrap.js";
import { outcomeOf } from "./limit-hit.js";
import { PORTABLE_RUNNER, type PortableRequest } from "./portable-runner.js";
import { runSandboxed, type SandboxLaunch } from "./sandboxed-process.js";
import { viewChanges } from "./view-changes.js";
import { statsOf } from "./view-entry.js";
import { scanWorkspace } from "./workspace-scan.js";
import type { WorkspaceView } from "./workspace-view.js";

/** The programs of the portable tier. */
export interface PortablePrograms {
  /** The module of just-bash. */
  readonly entry: string;
  readonly version: string;
}

/** Finds just-bash where this package is installed, never in a workspace. Rejects with SANDBOX_UNAVAILABLE. */
export async function findPortable(from = directoryOf(import.meta.url)): Promise<PortablePrograms> {
  const found = await peerOf(from);
  const entry = found === undefined ? undefined : packageEntry(found);
  if (found === undefined || entry === undefined)
    throw unavailable("just-bash is not installed", "npm install just-bash beside haft");
  return { entry: realpathSync(entry), version: found.manifest.version ?? "" };
}

/** Also looks beside this package, because a bundle contains this code. */
async function peerOf(from: string): Promise<PackageFolder | undefined> {
  const here = await installedPackage("just-bash", from);
  if (here !== undefined) return here;
  const own = await installedPackage("@haft/runtime-node", from);
  return own && installedPackage("just-bash", realpathSync(own.directory));
}

/** Runs code in an interpreter that sees only a copy of the workspace, on machines without bubblewrap. */
export function portableSandbox(
  options: SandboxOptions & { readonly programs: PortablePrograms },
): CodeSandbox {
  return { tier: "portable", run: (request, signal) => runPortable(request, { ...options, signal }) };
}

interface PortableOptions extends SandboxOptions {
  readonly programs: PortablePrograms;
  readonly signal: AbortSignal;
}

async function runPortable(request: SandboxRequest, setting: PortableOptions): Promise<SandboxOutcome> {
  const { workspace, signal } = setting;
  const { path } = await workspace.locate(request.cwd ?? ".");
  const cwd = workspace.absolute(path === "" ? "." : path);
  signal.throwIfAborted();
  const startedAtMs = Date.now();
  const scan = scanWorkspace(withClosedPaths(workspace, request));
  if (!fitsCopy(scan)) throw tooLarge();
  const parent = join(setting.stateDirectory, "sandbox");
  const { view, warnings, unseen } = await copiedView({ workspace, scan, parent, signal });
  try {
    const end = await runSandboxed(launchOf(request, { ...setting, view, unseen, cwd }), signal);
    const outcome = outcomeOf(end);
    if (end.endedBy !== undefined)
      return { ...outcome, ...NOTHING_FOUND, warnings: [...warnings, NOTHING_KEPT] };
    const found = viewChanges({ workspace, view, scan, startedAtMs });
    const dropped = madeAnyway(view, unseen);
    const isPartial = found.isPartial || dropped.length > 0;
    return { ...outcome, ...found, isPartial, warnings: [...warnings, ...found.warnings, ...dropped] };
  } finally {
    await view.close();
  }
}

/**
 * Returns writes that got past the interpreter: it refuses them by path, but copying a whole folder can still create
 * one.
 */
function madeAnyway({ path: folder }: WorkspaceView, unseen: ReadonlySet<string>): readonly string[] {
  return [...unseen]
    .filter((path) => statsOf(join(folder, path)) !== undefined)
    .map((path) => `${path} was left as it is in the workspace: code can neither see nor change it`);
}

interface LaunchOptions extends PortableOptions {
  readonly view: WorkspaceView;
  readonly unseen: ReadonlySet<string>;
  readonly cwd: string;
}

function launchOf(request: SandboxRequest, setting: LaunchOptions): SandboxLaunch {
  const { limits, view } = setting;
  // A file, because Python's worker cannot be started by a process whose program is an argument.
  const runner = join(dirname(view.path), "runner.mjs");
  writeFileSync(runner, PORTABLE_RUNNER);
  return {
    argv: [
      ...limitingTime(limits.cpuSeconds),
      process.execPath,
      ...[`--max-old-space-size=${limits.memoryMb}`, "--no-warnings", runner],
    ],
    stdin: undefined,
    data: [Buffer.from(JSON.stringify(portableRequest(request, setting)))],
    timeoutMs: request.timeoutMs,
    output: { keptBytes: limits.outputBytes / 2 },
    disk: diskLimit(view, limits.fileSizeMb),
  };
}

function portableRequest(
  request: SandboxRequest,
  { workspace, programs, view, unseen, cwd }: LaunchOptions,
): PortableRequest {
  const { script, env = {}, stdin = "", timeoutMs = LONGEST_MS } = request;
  const path = `/tmp/${script?.name ?? ""}`;
  return {
    entry: pathToFileURL(programs.entry).href,
    root: workspace.root,
    folder: view.path,
    sealed: [...unseen],
    cwd,
    argv: request.argv.map((word) => (word === "{script}" ? path : word)),
    env: Object.fromEntries(codeEnvironment(env, workspace.root)),
    stdin,
    script: script && { path, content: importing(script, workspace.root) },
    timeoutMs,
    outputBytes: MAX_OUTPUT_BYTES,
  };
}

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
const LONGEST_MS = 600_000;

/**
 * Passes the program as text and keeps its line numbers: this Python has the workspace below its own folder, looks for modules nowhere else, and runs
 * code of its own first.
 */
function importing(
  { name, content }: { readonly name: string; readonly content: string },
  root: string,
): string {
  if (!name.endsWith(".py")) return content;
  return [
    "import sys",
    `sys.path.insert(0, ${JSON.stringify(`/host${root}`)})`,
    "sys.dont_write_bytecode = True",
    `exec(compile(${JSON.stringify(content)}, ${JSON.stringify(name)}, "exec"), {"__name__": "__main__"})`,
  ].join("\n");
}

/** Adds time for the interpreter's own start. */
function limitingTime(cpuSeconds: number): readonly string[] {
  if (process.platform === "win32") return [];
  return ["/bin/sh", "-c", LIMITING, "sh", String(cpuSeconds + START_SECONDS)];
}

// The soft limit sends a signal, which identifies the cause later; then the process is killed.
const LIMITING = 'ulimit -S -t "$1" 2>/dev/null; ulimit -H -t $(($1 + 1)) 2>/dev/null; shift; exec "$@"';
const START_SECONDS = 3;

function tooLarge(): ToolError {
  return new ToolError("LIMIT_EXCEEDED", "The workspace is too large for the portable sandbox", {
    hint: `It works on a copy of at most ${MAX_COPIED.entries} files and ${MAX_COPIED.bytes / 1024 / 1024} MB. Install bubblewrap, or open a smaller folder as the workspace.`,
  });
}

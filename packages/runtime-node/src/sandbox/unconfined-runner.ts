import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type CodeSandbox, type SandboxOutcome, type SandboxRequest, ToolError } from "@haft/core";
import { boxEnvironment } from "./bubblewrap-arguments.js";
import { type BubblewrapOptions, diskLimit, NOTHING_FOUND, NOTHING_KEPT } from "./bubblewrap-sandbox.js";
import { copiedView, fitsCopy } from "./copied-view.js";
import { outcomeOf } from "./limit-hit.js";
import { runSandboxed } from "./sandboxed-process.js";
import { viewChanges } from "./view-changes.js";
import { scanWorkspace } from "./workspace-scan.js";

/**
 * No sandbox at all: code with the rights of the user. Only where the host chose it by name, and
 * run_code asks about every call then. It starts in a copy of the workspace, so that what it changes
 * there is recorded as always; nothing keeps it from going elsewhere.
 */
export function unconfinedRunner(options: BubblewrapOptions): CodeSandbox {
  return { tier: "unconfined", run: (request, signal) => runUnconfined(request, options, signal) };
}

async function runUnconfined(
  request: SandboxRequest,
  { workspace, limits, stateDirectory }: BubblewrapOptions,
  signal: AbortSignal,
): Promise<SandboxOutcome> {
  const { path } = await workspace.locate(request.cwd ?? ".");
  signal.throwIfAborted();
  const startedAtMs = Date.now();
  const scan = scanWorkspace(workspace);
  if (!fitsCopy(scan)) throw new ToolError("LIMIT_EXCEEDED", "The workspace is too large to be copied");
  const parent = join(stateDirectory, "sandbox");
  const { view, warnings } = await copiedView({ workspace, scan, parent, signal });
  try {
    const script = join(dirname(view.path), request.script?.name ?? "script");
    writeFileSync(script, request.script?.content ?? "");
    const launch = {
      argv: request.argv.map((word) => (word === "{script}" ? script : word)),
      cwd: join(view.path, path),
      env: Object.fromEntries(boxEnvironment(request.env ?? {}, view.path)),
      stdin: request.stdin,
      data: [],
      timeoutMs: request.timeoutMs,
      outputBytes: limits.outputBytes,
      disk: diskLimit(view, limits.fileSizeMb),
    };
    const end = await runSandboxed(launch, signal);
    const outcome = outcomeOf(end);
    if (end.endedBy !== undefined)
      return { ...outcome, ...NOTHING_FOUND, warnings: [...warnings, NOTHING_KEPT] };
    const found = viewChanges({ workspace, view, scan, startedAtMs });
    return { ...outcome, ...found, warnings: [...warnings, ...found.warnings] };
  } finally {
    view.close();
  }
}

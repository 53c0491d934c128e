import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ToolError } from "@haft/core";
import type { CodeSandbox, SandboxOutcome, SandboxRequest } from "@haft/core/capabilities";
import type { SandboxOptions } from "./box-context.js";
import { codeEnvironment } from "./box-environment.js";
import { diskLimit } from "./box-launch.js";
import { NOTHING_FOUND, NOTHING_KEPT } from "./box-outcome.js";
import { withClosedPaths } from "./closed-workspace.js";
import { copiedView, fitsCopy } from "./copied-view.js";
import { outcomeOf } from "./limit-hit.js";
import { runSandboxed } from "./sandboxed-process.js";
import { viewChanges } from "./view-changes.js";
import { scanWorkspace } from "./workspace-scan.js";

/**
 * Runs code without a sandbox, with the user's permissions. Only for hosts that chose it by name; run_code then asks
 * about every call. Code starts in a copy of the workspace, so that its changes there are recorded, but nothing
 * confines it.
 */
export function unconfinedRunner(options: SandboxOptions): CodeSandbox {
  return { tier: "unconfined", run: (request, signal) => runUnconfined(request, options, signal) };
}

async function runUnconfined(
  request: SandboxRequest,
  { workspace, limits, stateDirectory }: SandboxOptions,
  signal: AbortSignal,
): Promise<SandboxOutcome> {
  const { path } = await workspace.locate(request.cwd ?? ".");
  signal.throwIfAborted();
  const startedAtMs = Date.now();
  const scan = scanWorkspace(withClosedPaths(workspace, request));
  if (!fitsCopy(scan)) throw new ToolError("LIMIT_EXCEEDED", "The workspace is too large to be copied");
  const parent = join(stateDirectory, "sandbox");
  const { view, warnings } = await copiedView({ workspace, scan, parent, signal });
  try {
    const script = join(dirname(view.path), request.script?.name ?? "script");
    writeFileSync(script, request.script?.content ?? "");
    const launch = {
      argv: request.argv.map((word) => (word === "{script}" ? script : word)),
      cwd: join(view.path, path),
      env: Object.fromEntries(codeEnvironment(request.env ?? {}, view.path)),
      stdin: request.stdin,
      data: [],
      timeoutMs: request.timeoutMs,
      output: { keptBytes: limits.outputBytes / 2 },
      disk: diskLimit(view, limits.fileSizeMb),
    };
    const end = await runSandboxed(launch, signal);
    const outcome = outcomeOf(end);
    if (end.endedBy !== undefined)
      return { ...outcome, ...NOTHING_FOUND, warnings: [...warnings, NOTHING_KEPT] };
    const found = viewChanges({ workspace, view, scan, startedAtMs });
    return { ...outcome, ...found, warnings: [...warnings, ...found.warnings] };
  } finally {
    await view.close();
  }
}

import type { SandboxOutcome, SandboxRequest } from "@haft/core/capabilities";
import { limitsFor, type RunContext } from "./box-context.js";
import { addedEnvironment } from "./box-environment.js";
import { type BoxKey, boxKey } from "./box-key.js";
import { launchOf, recordingOf, SCRIPT_DESCRIPTOR, STATUS_DESCRIPTOR } from "./box-launch.js";
import { boxOutcome, disableInterrupted } from "./box-outcome.js";
import { CommandBox, waitingShell } from "./command-box.js";
import { openViewFor } from "./open-view.js";
import { sharedFolders } from "./pass-through.js";
import { OWN_PROCESSES } from "./sandboxed-process.js";

/** Returns whether an existing box can serve a command: it needs nothing made for one command alone. */
export function canRunPrepared({
  kind,
  live,
  network,
  repository = "masked",
  reads,
  renamesFolders,
}: SandboxRequest): boolean {
  const isMounted = repository === "masked" || (repository === "read" && reads === true);
  const isPlain = live !== true && renamesFolders !== true && network === undefined;
  return kind === "command" && isPlain && isMounted;
}

/** Runs a command in a prepared box of its kind, if there is one, and prepares the next afterwards. */
export async function runPrepared(request: SandboxRequest, setting: RunContext): Promise<SandboxOutcome> {
  const { scan, boxes, workspace } = setting;
  const key = boxKey(request, { scan, root: workspace.root });
  return runInBox(boxes.take(key) ?? (await openBox(request, setting)), { key, request, setting });
}

export interface PreparedRun {
  readonly key: BoxKey;
  readonly request: SandboxRequest;
  readonly setting: RunContext;
}

/** Runs a command in a box made for its key, and prepares the next one afterwards. */
export async function runInBox(
  box: CommandBox,
  { key, request, setting }: PreparedRun,
): Promise<SandboxOutcome> {
  const { boxes, signal, toolchains, cwd } = setting;
  try {
    const { view, group, shared, warnings } = box.parts;
    // The shell reads its order one byte at a time, so what the box has already is not sent.
    const env = addedEnvironment(request.env ?? {}, toolchains);
    const { timeoutMs } = request;
    const end = await box.run(
      { cwd, argv: request.argv, env },
      { timeoutMs, output: recordingOf(request, setting), isUntouched: () => view.isUntouched() },
      signal,
    );
    const told = [...setting.withheld, ...warnings];
    const used = { view, group, warnings: told, passedThrough: shared.paths, own: OWN_PROCESSES };
    return await boxOutcome(used, { end, request, setting });
  } catch (error) {
    const { group, shared } = box.parts;
    await disableInterrupted({ group, passedThrough: shared.paths }, { request, setting });
    throw error;
  } finally {
    boxes.close(box);
    // A copy would be as old as the box, and an installation creates its own folders.
    const isLive = box.parts.view.had("") === undefined;
    if (isLive && request.passThrough !== "packages") boxes.prepare(key, () => openBox(request, setting));
  }
}

async function openBox(request: SandboxRequest, setting: RunContext): Promise<CommandBox> {
  const { workspace, scan } = setting;
  const limits = limitsFor(request, setting);
  const { view, warnings } = await openViewFor(request, setting);
  const shared = sharedFolders(workspace.root, scan, request.passThrough);
  const group = setting.groups.create(limits);
  const argv = waitingShell(SCRIPT_DESCRIPTOR, STATUS_DESCRIPTOR);
  const waiting: SandboxRequest = { ...request, argv, env: {} };
  const given = {
    ...setting,
    limits,
    view,
    group,
    shared: shared.paths,
    cwd: workspace.root,
    isWaiting: true,
  };
  const launch = launchOf(waiting, given);
  const [boxArguments = "later", , ...more] = launch.data;
  return new CommandBox({
    launch: { ...launch, data: [boxArguments, "later", ...more] },
    view,
    group,
    shared,
    warnings,
  });
}

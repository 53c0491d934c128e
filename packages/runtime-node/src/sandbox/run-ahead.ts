import { setImmediate as nextTurn } from "node:timers/promises";
import type { SandboxOutcome, SandboxRequest } from "@haft/core/capabilities";
import type { RunContext } from "./box-context.js";
import { type BoxKey, boxKey } from "./box-key.js";

import { withoutClosedHistory } from "./closed-workspace.js";
import { canRunPrepared, runInBox } from "./run-prepared.js";
import type { WorkspaceScan } from "./workspace-scan.js";

/**
 * Runs a command in a prepared box before the workspace was scanned again, and scans meanwhile, because reading the times of thousands of folders
 * takes as long as many commands. The result counts only if the scan shows that the box hides every secret. Otherwise this stops the run, drops its
 * output and returns undefined. The run cannot have had an effect: the box has no network, shares no folder, and writes only to its own view.
 */
export async function runAhead(
  given: SandboxRequest,
  setting: Omit<RunContext, "scan" | "withheld">,
): Promise<SandboxOutcome | undefined> {
  if (!canRunPrepared(given) || (given.passThrough ?? "none") !== "none") return undefined;
  const { scanner, boxes, workspace } = setting;
  const scan = scanner.latest(given);
  if (scan === undefined || scan.open.entries < MIN_ENTRIES) return undefined;
  const { request, warnings: withheld } = withoutClosedHistory(given, workspace, scan);
  const key = boxKey(request, { scan, root: workspace.root });
  const box = boxes.take(key);
  if (box === undefined) return undefined;
  const life = new AbortController();
  const output = new HeldOutput(given.onOutput);
  const running = runInBox(box, {
    key,
    request: { ...request, onOutput: output.push },
    setting: { ...setting, scan, withheld, signal: AbortSignal.any([setting.signal, life.signal]) },
  });
  running.catch(() => {});
  // The request leaves this process in the next turn of its event loop.
  await nextTurn();
  const isStill = isSame({ request: given, scan, key }, setting);
  if (!isStill) life.abort(new Error("the workspace has changed"));
  output.release(isStill);
  return isStill ? running : running.then(() => undefined).catch(() => undefined);
}

/** A smaller workspace is scanned in less time than this takes. */
const MIN_ENTRIES = 2_000;

/** Whether another scan asks for the same box. */
function isSame(
  before: { readonly request: SandboxRequest; readonly scan: WorkspaceScan; readonly key: BoxKey },
  { scanner, workspace }: Pick<RunContext, "scanner" | "workspace">,
): boolean {
  const scan = scanner.scan(before.request);
  if (scan === before.scan) return true;
  const { request } = withoutClosedHistory(before.request, workspace, scan);
  const { kind, mounts } = boxKey(request, { scan, root: workspace.root });
  const isSameLayer = scan.hasOtherGroups === before.scan.hasOtherGroups;
  return isSameLayer && kind === before.key.kind && mounts === before.key.mounts;
}

type OnOutput = NonNullable<SandboxRequest["onOutput"]>;

/** Keeps output until it is known whether it counts. */
class HeldOutput {
  readonly #told: OnOutput | undefined;
  #held: Parameters<OnOutput>[] | undefined = [];
  #counts = false;

  constructor(told: OnOutput | undefined) {
    this.#told = told;
  }

  readonly push: OnOutput = (...chunk) => {
    if (this.#held !== undefined) this.#held.push(chunk);
    else if (this.#counts) this.#told?.(...chunk);
  };

  release(counts: boolean): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    this.#counts = counts;
    for (const chunk of held) this.push(...chunk);
  }
}

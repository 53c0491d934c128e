import type { SandboxOutcome, SandboxRequest } from "@haft/core/capabilities";
import type { RunContext } from "./box-context.js";
import { fitsCopyWithoutIgnored, MAX_COPIED } from "./copied-view.js";
import { RENAME_FAILED, renamedFolders } from "./renamed-folders.js";

type Run = (request: SandboxRequest, context: RunContext) => Promise<SandboxOutcome>;

/**
 * Runs a command. If it fails because a layer cannot rename a folder of the workspace, runs it again on a copy of the
 * workspace, or of the folders that it names, which can be renamed. The first run has had no other effect, unless it could reach the network or the repository.
 */
export async function runRenaming(
  request: SandboxRequest,
  context: RunContext,
  run: Run,
): Promise<SandboxOutcome> {
  const first = await run(request, context);
  if (context.signal.aborted || !hasFailedToRename(first)) return first;
  const obstacle = obstacleTo(request, { ...context, failed: first });
  if (obstacle !== undefined) return { ...first, warnings: [...first.warnings, `${NO_RENAME}: ${obstacle}`] };
  const anew = { ...context, startedAtMs: Date.now(), failed: first };
  const again = await run({ ...request, renamesFolders: true }, anew);
  if (!hasFailedToRename(again)) return again;
  const why = fitsCopyWithoutIgnored(context.scan) ? CROSSES_FOLDERS : `${NO_RENAME}: ${TOO_LARGE}`;
  return { ...again, warnings: [...again.warnings, why] };
}

/**
 * A script may continue after a failed rename, and succeed. A stopped run would take as long again. Standard output is often what a command was meant
 * to show.
 */
function hasFailedToRename({ exitCode, limitHit, timedOut, stdout, stderr }: SandboxOutcome): boolean {
  const isStopped = timedOut || limitHit !== undefined || STOPPED.has(exitCode);
  if (isStopped) return false;
  const told = exitCode === 0 ? [stderr] : [stderr, stdout];
  return told.some(({ text }) => RENAME_FAILED.test(text));
}

/** SIGINT, SIGKILL, SIGTERM. */
const STOPPED: ReadonlySet<number> = new Set([130, 137, 143]);

function obstacleTo(request: SandboxRequest, context: RunContext): string | undefined {
  const isPossible = fitsCopyWithoutIgnored(context.scan) || renamedFolders(request, context).length > 0;
  if (!isPossible) return TOO_LARGE;
  if (request.live === true) return "a background command cannot";
  if (request.renamesFolders === true || request.network !== undefined || request.repository === "write")
    return "the command is not repeated, because its first part may have had effects";
  return undefined;
}

const NO_RENAME =
  "a program could not rename a folder of the workspace (EXDEV); use `mv`, which copies, or rename in a call of its own";
const TOO_LARGE = `that takes a copy of the workspace, which has more than ${MAX_COPIED.entries} entries or ${MAX_COPIED.bytes / 1024 ** 2} MiB`;
const CROSSES_FOLDERS =
  "a program renames between folders that are mounted separately in the sandbox (EXDEV); use `mv`, which copies";

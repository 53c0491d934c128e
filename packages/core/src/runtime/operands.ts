import type { Operand } from "../approval/approval.js";
import { ToolError } from "../error/tool-error.js";
import { inspectCall } from "./inspect-call.js";
import type { CallInProgress, Kernel } from "./kernel.js";

/** Reads the files that determine what a call does, so that an approval covers their exact bytes. */
export async function operandsOf(kernel: Kernel, call: CallInProgress): Promise<readonly Operand[]> {
  const inspection = await inspectCall(kernel, call);
  const found: Operand[] = [];
  for (const path of new Set(await inspection.operands?.())) {
    const digest = await digestOf(kernel, path);
    if (digest !== DIRECTORY) found.push({ path, ...(digest !== undefined && { digest }) });
  }
  return found;
}

/** Throws PLAN_STALE if a file has changed since approval was requested, or the set of files differs. */
export async function assertSameOperands(
  kernel: Kernel,
  call: CallInProgress,
  approved: readonly Operand[] | undefined,
): Promise<void> {
  if (approved === undefined) return;
  for (const { path, digest } of approved)
    if ((await digestOf(kernel, path)) !== digest) throw changedSinceAsked(call, path);
  const known = new Set(approved.map(({ path }) => path));
  for (const { path, digest } of await operandsOf(kernel, call))
    if (digest !== undefined && !known.has(path)) throw changedSinceAsked(call, path);
}

const DIRECTORY = "directory";

/** Returns no digest for an unreadable file, so a file that appears there later counts as a change. */
async function digestOf({ workspace }: Kernel, path: string): Promise<string | undefined> {
  try {
    const { type, size } = await workspace.stat(path);
    if (type === "directory") return DIRECTORY;
    if (size > MAX_DIGESTED_BYTES) return (await workspace.snapshot(path))?.hash;
    return await workspace.digest(await workspace.readBytes(path));
  } catch {
    return undefined;
  }
}

const MAX_DIGESTED_BYTES = 16 * 1024 * 1024;

function changedSinceAsked({ tool }: CallInProgress, path: string): ToolError {
  return new ToolError(
    "PLAN_STALE",
    `${tool} would now do something other than what was approved: ${path} has changed`,
    { hint: "Nothing was run. Repeat the call to ask for approval again.", details: { path } },
  );
}

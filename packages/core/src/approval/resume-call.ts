import { ToolError } from "../error/tool-error.js";
import type { CallOptions } from "../runtime/tool-runtime.js";
import type { ShownFile } from "../tool/tool-definition.js";
import type { WorkspaceStore } from "../workspace/workspace-store.js";
import type { ApprovalRecord } from "./approval-store.js";

/**
 * How to make a call again whose approval outlived its process. The caller has read the files that it overwrites, so
 * they count as seen at the approved bytes. If a file has changed since, the call is made with an aborted signal, and
 * nothing happens.
 */
export async function resumeOptions(record: ApprovalRecord, workspace: WorkspaceStore): Promise<CallOptions> {
  const { tool } = record.request;
  const stalePath = await firstStalePath(record, workspace);
  if (stalePath !== undefined) return { signal: AbortSignal.abort(planStale(tool, stalePath)) };
  return { alreadySeen: shownFiles(record) };
}

/** A file that the plan is based on and that has changed since. */
export async function firstStalePath(
  record: ApprovalRecord,
  workspace: WorkspaceStore,
): Promise<string | undefined> {
  for (const { path, hash } of startingPoints(record)) {
    const found = await workspace.snapshot(path).catch(() => undefined);
    if (found?.hash !== hash) return path;
  }
  return undefined;
}

/** The state on disk before the first change of each path; later changes start from the result of earlier ones. */
function startingPoints({ request }: ApprovalRecord): readonly ShownFile[] {
  const touched = new Set<string>();
  const points: ShownFile[] = [];
  for (const { path, from, beforeHash } of request.changes) {
    const source = from ?? path;
    if (beforeHash !== undefined && !touched.has(source)) points.push({ path: source, hash: beforeHash });
    touched.add(path).add(source);
  }
  return points;
}

function shownFiles(record: ApprovalRecord): readonly ShownFile[] {
  const modified = new Set(
    record.request.changes.filter(({ kind }) => kind === "modify").map(({ path }) => path),
  );
  return startingPoints(record).filter(({ path }) => modified.has(path));
}

function planStale(tool: string, path: string): ToolError {
  return new ToolError(
    "PLAN_STALE",
    `${tool} would now do something other than what was approved: ${path} has changed; nothing was done`,
    { hint: "Read the files again and repeat the call.", details: { path } },
  );
}

import { type CallOptions, type ShownFile, ToolError, type WorkspaceStore } from "@haft/core";
import type { ApprovalRecord } from "./approval-record.js";

/**
 * How a call whose approval outlived its process is made again. What it overwrites was read by
 * whoever made it, so it counts as seen at the bytes that were approved; if a file is no longer that,
 * the call is made with a signal that has already refused it, and nothing happens.
 */
export async function resumeOptions(record: ApprovalRecord, workspace: WorkspaceStore): Promise<CallOptions> {
  const { tool } = record.request;
  const stalePath = await firstStalePath(record, workspace);
  if (stalePath !== undefined) return { signal: AbortSignal.abort(planStale(tool, stalePath)) };
  return { alreadySeen: shownFiles(record) };
}

/** A file the plan starts from that is no longer what it was. */
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

/** What stood on disk before the first change of each path; later ones start from what earlier ones left. */
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
    `What ${tool} would do is no longer what was approved: ${path} has changed; nothing was done`,
    { hint: "Read the files again and repeat the call.", details: { path } },
  );
}

import { join } from "node:path";
import type { TemporaryWorkspace } from "../../test-support/temporary-workspace.js";
import { type CopiedView, copiedView } from "./copied-view.js";
import { scanWorkspace, type WorkspaceScan } from "./workspace-scan.js";

export const never = new AbortController().signal;

/** A copy of a workspace for code to work on, as a sandbox makes it. */
export function openCopy(
  place: TemporaryWorkspace,
  scan: WorkspaceScan = scanWorkspace(place.workspace),
): Promise<CopiedView> {
  return copiedView({ workspace: place.workspace, scan, parent: runsOf(place), signal: never });
}

/** The folder that copies are made in. */
export function runsOf({ base }: TemporaryWorkspace): string {
  return join(base, "runs");
}

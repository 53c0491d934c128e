import { join } from "node:path";
import type { TemporaryWorkspace } from "../../test-support/temporary-workspace.js";
import { type CopiedView, copiedView } from "./copied-view.js";
import { scanWorkspace, type WorkspaceScan } from "./workspace-scan.js";

export const never = new AbortController().signal;

/** Opens a copy of a workspace as a sandbox does. */
export function openCopy(
  place: TemporaryWorkspace,
  scan: WorkspaceScan = scanWorkspace(place.workspace),
): Promise<CopiedView> {
  return copiedView({ workspace: place.workspace, scan, parent: runsOf(place), signal: never });
}

/** Returns the folder that contains the copies. */
export function runsOf({ base }: TemporaryWorkspace): string {
  return join(base, "runs");
}

import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join } from "node:path";
import { ToolError } from "@haft/core";
import type { Environment } from "../secrets/scrubbed-environment.js";

/**
 * Returns the folder for a workspace's persistent state. It is never inside the workspace, so no tool can reach it.
 */
export function stateDirectoryOf(realRoot: string, environment: Environment = process.env): string {
  const hash = createHash("sha256").update(realRoot).digest("hex").slice(0, 12);
  return join(stateHome(environment), `${basename(realRoot) || "root"}-${hash}`);
}

/** Returns the parent folder of all workspaces' state. */
export function stateHome(environment: Environment = process.env): string {
  const configured = environment.XDG_STATE_HOME;
  // The XDG specification ignores relative values.
  const base =
    configured !== undefined && isAbsolute(configured) ? configured : join(homeFolder(), ".local", "state");
  return join(base, "haft");
}

/** A container may run a user without a name, and without HOME. */
function homeFolder(): string {
  try {
    return homedir();
  } catch (cause) {
    throw new ToolError("IO_ERROR", "This user has no home folder, where Haft keeps its state", {
      hint: "Nothing was done. The user has to set HOME, or XDG_STATE_HOME to a folder that can be written.",
      cause,
    });
  }
}

/**
 * Returns the file that holds the end of a workspace's audit log once more: outside its state folder, so that deleting
 * the folder is noticed. A host's own state folder holds it itself.
 */
export function auditAnchorOf(stateDirectory: string, environment: Environment = process.env): string {
  const home = stateHome(environment);
  return dirname(stateDirectory) === home
    ? join(home, "audit-anchors", `${basename(stateDirectory)}.json`)
    : join(stateDirectory, "anchors", "audit.json");
}

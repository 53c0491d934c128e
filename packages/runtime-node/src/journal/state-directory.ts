import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { basename, isAbsolute, join } from "node:path";
import type { Environment } from "../secrets/scrubbed-environment.js";

/** Where what must outlive a process is kept for a workspace: never inside it, so no tool can reach it. */
export function stateDirectoryOf(realRoot: string, environment: Environment = process.env): string {
  const hash = createHash("sha256").update(realRoot).digest("hex").slice(0, 12);
  return join(stateHome(environment), `${basename(realRoot) || "root"}-${hash}`);
}

/** Where the state of all workspaces is kept. */
export function stateHome(environment: Environment = process.env): string {
  const configured = environment.XDG_STATE_HOME;
  // As the XDG rules say, a relative value is no value.
  const base =
    configured !== undefined && isAbsolute(configured) ? configured : join(homedir(), ".local", "state");
  return join(base, "haft");
}

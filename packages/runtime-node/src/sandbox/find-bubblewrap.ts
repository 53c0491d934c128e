import { existsSync } from "node:fs";
import { ToolError } from "@haft/core";
import { askProgram } from "../process/ask-program.js";
import { probeArguments } from "./bubblewrap-arguments.js";

export interface SandboxPrograms {
  readonly bwrap: string;
}

/**
 * Finds bubblewrap in the system's directories, never through PATH, and tries it. Rejects with SANDBOX_UNAVAILABLE.
 */
export async function findBubblewrap(directories: readonly string[] = DIRECTORIES): Promise<SandboxPrograms> {
  if (process.platform !== "linux") throw unavailable(`there is no sandbox for ${process.platform} yet`);
  const bwrap = locateBubblewrap(directories);
  if (bwrap === undefined) throw unavailable("bubblewrap is not installed", "apt install bubblewrap");
  const args = [...probeArguments(), "true"];
  const tried = await askProgram({ program: bwrap, args, env: SCRUBBED, timeoutMs: PROBE_MS });
  if (tried.exitCode === 0) return { bwrap };
  const reason = tried.stderr.split("\n")[0]?.slice(0, 200) || String(tried.error ?? tried.exitCode);
  throw unavailable(`bubblewrap cannot make a namespace here (${reason})`, USER_NAMESPACES, tried.error);
}

/** Returns the path of bubblewrap, whether or not it works. */
export function locateBubblewrap(directories: readonly string[] = DIRECTORIES): string | undefined {
  return directories.map((directory) => `${directory}/bwrap`).find((file) => existsSync(file));
}

/** The launcher's environment: processes in the box can read it. */
export const SCRUBBED = { PATH: "/usr/bin:/bin" } as const;

const DIRECTORIES = ["/usr/bin", "/bin", "/usr/local/bin"];
const PROBE_MS = 5_000;
const USER_NAMESPACES = "allow unprivileged user namespaces: sysctl kernel.unprivileged_userns_clone=1";

export function unavailable(why: string, fix?: string, cause?: unknown): ToolError {
  return new ToolError("SANDBOX_UNAVAILABLE", `Code cannot be run: ${why}`, {
    hint: `Nothing was run; code never runs unconfined.${fix === undefined ? "" : ` To fix it, ${fix}.`}`,
    ...(fix === undefined ? {} : { details: { fix } }),
    ...(cause === undefined ? {} : { cause }),
  });
}

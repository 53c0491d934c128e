import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";
import { ToolError } from "@haft/core";
import { probeArguments } from "./bubblewrap-arguments.js";

export interface SandboxPrograms {
  readonly bwrap: string;
  readonly prlimit: string;
}

/** Finds bubblewrap in the system's directories, never by a PATH, and tries it. Rejects with SANDBOX_UNAVAILABLE. */
export async function findBubblewrap(directories: readonly string[] = DIRECTORIES): Promise<SandboxPrograms> {
  if (process.platform !== "linux") throw unavailable(`there is no sandbox for ${process.platform} yet`);
  const bwrap = directories.map((directory) => `${directory}/bwrap`).find((file) => existsSync(file));
  const prlimit = directories.map((directory) => `${directory}/prlimit`).find((file) => existsSync(file));
  if (bwrap === undefined) throw unavailable("bubblewrap is not installed", "apt install bubblewrap");
  if (prlimit === undefined) throw unavailable("prlimit is not installed", "apt install util-linux");
  try {
    await promisify(execFile)(bwrap, [...probeArguments(), "true"], { env: SCRUBBED, timeout: PROBE_MS });
  } catch (cause) {
    const { stderr, code } = cause as { stderr?: string; code?: string | number };
    const reason = stderr?.split("\n")[0]?.slice(0, 200) || String(code);
    throw unavailable(`bubblewrap cannot make a namespace here (${reason})`, USER_NAMESPACES, cause);
  }
  return { bwrap, prlimit };
}

/** What the launcher itself may know: inside the box its environment can be read. */
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

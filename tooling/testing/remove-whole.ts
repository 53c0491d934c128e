import { execFileSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";

/** Removes what a test made, also folders that are not writable, which only root can empty. */
export function removeWhole(folder: string): void {
  if (process.geteuid?.() !== 0 && existsSync(folder)) execFileSync("chmod", ["-R", "u+rwx", folder]);
  rmSync(folder, { recursive: true, force: true });
}

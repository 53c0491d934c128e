import type { SandboxOutcome, SandboxRequest } from "@haft/core/capabilities";
import { isInside } from "@haft/core/workspace";
import { isPackageFolder } from "./pass-through.js";
import type { WorkspaceScan } from "./workspace-scan.js";

type Removal = Pick<SandboxRequest, "removes">;

/**
 * The shared folders that commands remove or rename, by their words or as they have tried before. The kernel refuses
 * that for a mounted folder, so these folders belong to the view, where it works.
 */
export class BusyFolders {
  readonly #known = new Set<string>();

  /** Returns a scan whose ignored folders can all be shared. */
  without(scan: WorkspaceScan, removal: Removal): WorkspaceScan {
    const busy = new Set(this.heldBack(scan, removal));
    return busy.size === 0 ? scan : { ...scan, ignored: scan.ignored.filter((path) => !busy.has(path)) };
  }

  /** Returns the ignored folders that it leaves out. */
  heldBack(scan: WorkspaceScan, { removes = [] }: Removal): readonly string[] {
    return scan.ignored.filter(
      (path) => this.#known.has(path) || removes.some((removed) => isInside(path, removed)),
    );
  }

  /** Learns from a failed run. Returns the folders that it could not remove or rename because they were shared. */
  learn(outcome: SandboxOutcome): readonly string[] {
    const busy = busyIn(outcome).filter((path) => !path.split("/").some(isPackageFolder));
    for (const path of busy) this.#known.add(path);
    return busy;
  }
}

/** Explains why installed packages could not be removed. */
export function packagesNote(outcome: SandboxOutcome): readonly string[] {
  const [folder] = busyIn(outcome).filter(isPackageFolder);
  return folder === undefined ? [] : [`${folder} is shared with the workspace and ${PACKAGES}`];
}

const PACKAGES = "cannot be removed itself, only emptied; install in a call of its own, or use npm ci";

/** Returns the shared folders that the messages of a failed run name as busy. */
function busyIn({ exitCode, stdout, stderr, passedThrough = [] }: SandboxOutcome): readonly string[] {
  if (exitCode === 0 || passedThrough.length === 0) return [];
  const lines = `${stderr.text}\n${stdout.text}`.split("\n").filter((line) => BUSY.test(line));
  return passedThrough.filter((path) => lines.some((line) => words(line).has(lastOf(path))));
}

/** The last words are Gradle's. */
const BUSY = /EBUSY|resource busy|unable to delete (?:directory|file)/i;

/** Returns the last segments of the paths in a message. */
function words(line: string): ReadonlySet<string> {
  return new Set(line.split(/[\s'"`:,()]+/).map(lastOf));
}

function lastOf(path: string): string {
  return path.replace(/\/+$/, "").split("/").at(-1) ?? "";
}

import { renameSync } from "node:fs";
import { isInside } from "@haft/core/workspace";
import { isPackageFolder } from "./pass-through.js";
import type { WorkspaceScan } from "./workspace-scan.js";

type Scan = Pick<WorkspaceScan, "guarded" | "repositories">;

interface PlantedOptions {
  readonly root: string;
  /** The folders that the command worked in directly. */
  readonly shared: readonly string[];
  readonly before: Scan;
  readonly scan: () => Scan;
}

/** Disables what a command planted. A scan does not look into a repository, so disabling one may reveal others. */
export function disablePlanted({ scan, before, ...setting }: PlantedOptions): readonly string[] {
  const known = new Set([...before.guarded.keys(), ...before.repositories]);
  const warnings: string[] = [];
  for (;;) {
    const after = scan();
    const told = disableFound({ ...setting, known, after });
    if (told.length === 0) return warnings;
    warnings.push(...told);
    for (const path of [...after.guarded.keys(), ...after.repositories]) known.add(path);
  }
}

interface FoundOptions extends Pick<PlantedOptions, "root" | "shared"> {
  readonly known: ReadonlySet<string>;
  readonly after: Scan;
}

/**
 * Renames entries that a command left in shared folders and that programs outside the box would run: a repository, whose
 * configuration names programs, or the settings of an editor. Renaming loses nothing, also if someone else created it
 * meanwhile. Returns warnings.
 */
function disableFound({ root, shared, known, after }: FoundOptions): readonly string[] {
  const places = shared.filter((path) => !isInPackages(path));
  const planted = [...new Set([...after.guarded.keys(), ...after.repositories])].filter(
    (path) => !known.has(path) && !isInPackages(path) && places.some((place) => isInside(path, place)),
  );
  return planted.map((path) => {
    // A repository without a working tree can have any name; git knows it by this file.
    const isBare = after.repositories.includes(path) && !/(?:^|\/)\.git$/i.test(path);
    const from = isBare ? `${path}/HEAD` : path;
    const mark = `.disabled-${Date.now().toString(36)}`;
    const to = `${from}${mark}`;
    // Git takes a folder with a HEAD for a repository, whatever its name.
    if (from === path) isRenamed(`${root}/${path}/HEAD`, `${root}/${path}/HEAD${mark}`);
    return isRenamed(`${root}/${from}`, `${root}/${to}`)
      ? `${from}: renamed to ${to}, because programs outside the sandbox run what it names`
      : `${from}: could not be disabled; delete it before you open the folder in git or an editor`;
  });
}

function isInPackages(path: string): boolean {
  return path.split("/").some(isPackageFolder);
}

function isRenamed(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch {
    return false;
  }
}

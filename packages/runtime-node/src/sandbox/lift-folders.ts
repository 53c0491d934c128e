import { lstatSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isInside } from "@haft/core/workspace";
import { inodeKey } from "../fs/inode-key.js";
import type { WorkspaceScan } from "./workspace-scan.js";

/** Folders that are copied into a layer, so that they can be renamed there. */
export interface LiftedFolders {
  readonly folders: readonly string[];
  /** What the box mounts over. The layer has something empty there instead. */
  readonly hidden: readonly HiddenPath[];
}

interface HiddenPath {
  readonly path: string;
  readonly isDirectory: boolean;
}

export const NOTHING_LIFTED: LiftedFolders = { folders: [], hidden: [] };

/** Leaves out folders with names that the lists for the script cannot hold. */
export function liftedFolders(
  folders: readonly string[],
  { secret, repositories }: Pick<WorkspaceScan, "secret" | "repositories">,
): LiftedFolders {
  const masked = [...secret, ...repositories.map((path) => ({ path, isDirectory: true }))];
  const within = (folder: string) => masked.filter(({ path }) => isInside(path, folder));
  const named = folders.filter((folder) => ![folder, ...within(folder).map(pathOf)].some(hasNewline));
  return { folders: named, hidden: named.flatMap(within) };
}

function pathOf({ path }: HiddenPath): string {
  return path;
}

function hasNewline(path: string): boolean {
  return path.includes("\n");
}

/** Writes the lists that the script reads. */
export function writeLists(place: string, { folders, hidden }: LiftedFolders): void {
  writeFileSync(join(place, "lifted"), folders.map((path) => `${path}\n`).join(""));
  const kinds = hidden.map(({ path, isDirectory }) => `${isDirectory ? "folder" : "file"} ${path}\n`);
  writeFileSync(join(place, "hidden"), kinds.join(""));
}

/** A folder that code renames takes what is empty in it along, so that is known by its identity. */
export function identitiesIn(view: string, hidden: readonly HiddenPath[]): ReadonlySet<string> {
  const found = hidden.map(({ path }) => lstatSync(`${view}/${path}`, { throwIfNoEntry: false }));
  return new Set(found.filter((stats) => stats !== undefined).map(inodeKey));
}

/**
 * Copies folders into the layer: what was created there can be renamed. One that cannot be read as a whole stays as it
 * is. It must not be missing in between: that would be a deletion.
 *
 * SECURITY: this runs outside the box, and links in the workspace lead anywhere. It works only in a folder whose real
 * path is the expected one, under a name that nothing has, and `rm` and `cp -T` follow no link. What the box masks is
 * not in the copy: a renamed folder would show it under a name that is not masked for this process.
 */
export const LIFT = `hide() {
  while IFS= read -r line; do
    path=\${line#* }
    case $path in "$1"/*) path=./$2/\${path#"$1"/};; *) continue;; esac
    [ -e "$path" ] || [ -L "$path" ] || continue
    (at=$(pwd -P)/\${path#./}; cd -P -- "\${path%/*}" && [ "$(pwd -P)" = "\${at%/*}" ] && rm -rf -- "./\${path##*/}" &&
      case $line in folder*) mkdir -- "./\${path##*/}";; *) : > "./\${path##*/}";; esac) || return 1
  done < "$hidden"
}
lift() {
  cd -P -- "$1" && [ "$(pwd -P)" = "$1" ] || return 0
  to=.haft-lifted
  while [ -e "$to" ] || [ -L "$to" ]; do to=$to-; done
  if cp -aT -- "./$2" "$to" && hide "$3" "$to"; then rm -rf -- "./$2" && mv -T -- "$to" "./$2"; else rm -rf -- "$to"; fi
} 2>/dev/null
top=$(cd -P merged && pwd -P) hidden=$(pwd -P)/hidden
while IFS= read -r path; do
  case $path in */*) in=$top/\${path%/*};; *) in=$top;; esac
  (lift "$in" "\${path##*/}" "$path") || exit 125
done < lifted`;

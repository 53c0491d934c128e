import type { FileEntry } from "@haft/core";
import { joinPath } from "@haft/core/workspace";
import { isNameable, spellName } from "@haft/runtime-node/paths";

/** An entry as the remote program sends it. */
export interface RemoteEntry {
  readonly type: FileEntry["type"];
  readonly size: number;
  readonly modifiedMs: number;
  readonly mode: number;
  readonly name?: string;
  /** The bytes of a name that is not UTF-8, in hex. */
  readonly raw?: string;
  readonly target?: string;
  readonly outside?: boolean;
}

/** Converts an entry of a folder to the kernel's form. */
export function entryIn(folder: string, remote: RemoteEntry): FileEntry {
  const { type, size, modifiedMs, mode } = remote;
  const bytes = remote.raw === undefined ? undefined : Buffer.from(remote.raw, "hex");
  const given = bytes ?? remote.name ?? "";
  const name = spellName(given);
  const path = joinPath(folder, name);
  // No path leads there, so nothing can open or enter it.
  if (!isNameable(given)) return { path, name, type: "other", size, modifiedMs, mode, unnamed: true };
  return {
    ...{ path, name, type, size, modifiedMs, mode },
    ...(remote.target !== undefined && { target: remote.target }),
    ...(remote.outside === true && { outside: true }),
  };
}

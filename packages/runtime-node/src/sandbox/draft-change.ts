import type { SandboxChange, UnrecordedChange } from "@haft/core/capabilities";
import { statsOf } from "./view-entry.js";

/** A difference between a view and its workspace. The content of a file is still in the view. */
export type DraftChange = Exclude<SandboxChange, { readonly kind: "file" }> | DraftFile;

export interface DraftFile {
  readonly kind: "file";
  readonly path: string;
  readonly size: number;
  readonly mode: number;
  readonly modifiedMs: number;
}

/** Names a change that is not recorded. `root` is the workspace. */
export function unrecordedChange(root: string, { kind, path }: DraftChange): UnrecordedChange {
  if (kind === "delete") return { kind, path };
  return { kind: statsOf(`${root}/${path}`) === undefined ? "create" : "modify", path };
}

import type { FileState, NewState, Snapshot } from "./file-change.js";
import { baseName } from "./path-text.js";
import { sizeOfState } from "./spliced-file.js";
import type { FileEntry } from "./workspace.js";

/** The overlay's record of a path that differs from the store. */
export type OverlayNode =
  | HeldNode
  | { readonly kind: "gone" }
  /** The entry that the store has at another path; a directory may have new permissions. */
  | { readonly kind: "base"; readonly from: string; readonly mode?: number };

/** Content that the overlay itself holds. */
export type HeldNode =
  | {
      readonly kind: "file";
      readonly state: FileState;
      readonly modifiedMs: number;
    }
  | { readonly kind: "directory"; readonly mode?: number | undefined; readonly modifiedMs: number }
  | { readonly kind: "symlink"; readonly target: string; readonly modifiedMs: number }
  /** Restored when the changes are applied; it cannot be read until then. */
  | { readonly kind: "kept"; readonly was: Snapshot; readonly modifiedMs: number };

export function nodeOf(state: NewState): HeldNode {
  const modifiedMs = Date.now();
  if (state.type === "directory") return { kind: "directory", mode: state.mode, modifiedMs };
  if (state.type === "symlink") return { kind: "symlink", target: state.target, modifiedMs };
  if (state.type === "kept") return { kind: "kept", was: state.was, modifiedMs };
  return { kind: "file", state, modifiedMs };
}

export function heldEntry(path: string, node: HeldNode): FileEntry {
  const common = { path, name: baseName(path), modifiedMs: node.modifiedMs };
  if (node.kind === "file")
    return { ...common, type: "file", size: sizeOfState(node.state), mode: node.state.mode ?? NEW_FILE_MODE };
  if (node.kind === "directory")
    return { ...common, type: "directory", size: 0, mode: node.mode ?? DIRECTORY_MODE };
  if (node.kind === "symlink")
    return { ...common, type: "symlink", size: node.target.length, mode: LINK_MODE, target: node.target };
  const { type, size, mode, target } = node.was;
  return { ...common, type, size, mode, ...(target === undefined ? {} : { target }) };
}

/** Returns undefined for a directory that is empty itself: its content is what the overlay holds below it. */
export function heldSnapshot(node: HeldNode): Snapshot | undefined {
  if (node.kind === "directory") return undefined;
  if (node.kind === "symlink") {
    const { target } = node;
    return { type: "symlink", hash: `link:${target}`, size: target.length, mode: LINK_MODE, target };
  }
  if (node.kind === "kept") {
    const isEmpty = node.was.type === "directory" && (node.was.entries ?? []).length === 0;
    return isEmpty ? undefined : node.was;
  }
  const { hash, bytes, mode = NEW_FILE_MODE } = node.state;
  return { type: "file", hash, size: bytes.length, mode, bytes };
}

const NEW_FILE_MODE = 0o644;
const DIRECTORY_MODE = 0o755;
const LINK_MODE = 0o777;

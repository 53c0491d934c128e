import type { Snapshot } from "../workspace/file-change.js";
import { joinPath } from "../workspace/path-text.js";
import type { MemoryTree } from "./memory-tree.js";
import { sha256 } from "./sha256.js";

export function hashBytes(bytes: Uint8Array): string {
  return digestBytes(bytes).slice(0, 16);
}

export function digestBytes(bytes: Uint8Array): string {
  return sha256(bytes);
}

/** Takes a snapshot of a path. Its hash depends on the content, not on the path. */
export function snapshotOf(tree: MemoryTree, path: string): Snapshot | undefined {
  const node = tree.get(path);
  if (node === undefined) return undefined;
  const { mode } = node;
  if (node.type === "file") {
    const bytes = node.bytes.slice();
    return { type: "file", hash: hashBytes(bytes), size: bytes.length, mode, bytes };
  }
  if (node.type === "symlink") {
    const { target } = node;
    return { type: "symlink", hash: `link:${target}`, size: target.length, mode, target };
  }
  const entries = tree.pathsBelow(path);
  const versions = entries.map((entry) => `${entry}\0${versionOf(tree, joinPath(path, entry))}`);
  return {
    type: "directory",
    hash: hashBytes(new TextEncoder().encode(versions.join("\0\0"))),
    size: 0,
    mode,
    entries,
  };
}

/** Returns true if the current state is the rehearsed one. */
export function isStill(now: Snapshot | undefined, rehearsed: Snapshot): boolean {
  if (now === undefined || now.type !== rehearsed.type) return false;
  // A directory that the rehearsal itself changed has entries but no hash.
  if (rehearsed.hash === "") return now.entries?.join("\0") === rehearsed.entries?.join("\0");
  return now.hash === rehearsed.hash;
}

function versionOf(tree: MemoryTree, path: string): string {
  const node = tree.get(path);
  if (node === undefined || node.type === "directory") return "directory";
  return node.type === "symlink" ? `link:${node.target}` : hashBytes(node.bytes);
}

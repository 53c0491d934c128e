import { createHash } from "node:crypto";
import { joinPath, type Snapshot } from "@haft/core";
import type { MemoryTree } from "./memory-tree.js";

export function hashBytes(bytes: Uint8Array): string {
  return digestBytes(bytes).slice(0, 16);
}

export function digestBytes(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** What stands at a path, with a hash that does not depend on where it stands. */
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

/** Whether what stands there now is what was rehearsed. */
export function isStill(now: Snapshot | undefined, rehearsed: Snapshot): boolean {
  if (now === undefined || now.type !== rehearsed.type) return false;
  // A directory that the rehearsal itself had changed has no hash, only its entries.
  if (rehearsed.hash === "") return now.entries?.join("\0") === rehearsed.entries?.join("\0");
  return now.hash === rehearsed.hash;
}

function versionOf(tree: MemoryTree, path: string): string {
  const node = tree.get(path);
  if (node === undefined || node.type === "directory") return "directory";
  return node.type === "symlink" ? `link:${node.target}` : hashBytes(node.bytes);
}

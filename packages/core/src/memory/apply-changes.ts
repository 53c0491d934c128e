import { ToolError } from "../error/tool-error.js";
import type { FileChange, ModifyChange, NewState } from "../workspace/file-change.js";
import { parentPath } from "../workspace/path-text.js";
import { isStill, snapshotOf } from "./memory-snapshot.js";
import { directoryNode, fileNode, linkNode, type MemoryNode, type MemoryTree } from "./memory-tree.js";

/** Returns a copy of the tree with all changes applied in order. Throws STALE_FILE if one no longer applies. */
export function applyChanges(tree: MemoryTree, changes: readonly FileChange[]): MemoryTree {
  const next = tree.copy();
  for (const change of changes) applyChange(next, change);
  return next;
}

function applyChange(tree: MemoryTree, change: FileChange): void {
  switch (change.kind) {
    case "create":
      if (isStandingDirectory(tree, change)) return;
      assertFree(tree, change.path);
      assertParent(tree, change.path);
      tree.set(change.path, nodeOf(change.after));
      return;
    case "modify":
      assertModifiable(tree, change);
      tree.set(change.path, nodeOf(change.after, change.before.mode));
      return;
    case "delete":
      assertStill(tree, change.path, change.before);
      tree.delete(change.path);
      return;
    case "move":
      assertStill(tree, change.from, change.before);
      if (change.replaces === undefined) assertFree(tree, change.path);
      else assertStill(tree, change.path, change.replaces);
      assertParent(tree, change.path);
      tree.move(change.from, change.path);
  }
}

/** A directory that another writer created in the meantime counts as created. */
function isStandingDirectory(tree: MemoryTree, change: FileChange & { kind: "create" }): boolean {
  return change.after.type === "directory" && tree.get(change.path)?.type === "directory";
}

function assertModifiable(tree: MemoryTree, { path, before, after }: ModifyChange): void {
  const node = tree.get(path);
  if (after.type !== "directory") assertStill(tree, path, before);
  else if (node?.type !== "directory" || (before.hash !== "" && node.mode !== before.mode)) throw stale(path);
}

function assertStill(tree: MemoryTree, path: string, rehearsed: Parameters<typeof isStill>[1]): void {
  if (!isStill(snapshotOf(tree, path), rehearsed)) throw stale(path);
}

function assertFree(tree: MemoryTree, path: string): void {
  if (tree.get(path) !== undefined) throw stale(path);
}

function assertParent(tree: MemoryTree, path: string): void {
  if (tree.get(parentPath(path))?.type !== "directory") throw stale(parentPath(path));
}

function stale(path: string): ToolError {
  return new ToolError("STALE_FILE", `${path} has changed since it was read`, { details: { path } });
}

function nodeOf(state: NewState, formerMode?: number): MemoryNode {
  if (state.type === "directory") return directoryNode(state.mode);
  if (state.type === "symlink") return linkNode(state.target);
  if (state.type === "kept")
    throw new ToolError("IO_ERROR", `A workspace in memory keeps nothing: ${state.key}`);
  return fileNode(state.bytes.slice(), state.mode ?? formerMode);
}

import { ToolError } from "../error/tool-error.js";
import type { FileChange } from "./file-change.js";
import type { OverlayTree } from "./overlay-tree.js";
import { parentPath } from "./path-text.js";
import { RecordedChanges } from "./recorded-changes.js";
import type { Location } from "./workspace-store.js";

/** Records changes: where a change may go, what it requires, and the order to apply them in. */
export class OverlayRecorder {
  readonly #tree: OverlayTree;
  readonly #changes: RecordedChanges;

  constructor(tree: OverlayTree, options: { readonly maxHeldBytes?: number } = {}) {
    this.#tree = tree;
    this.#changes = new RecordedChanges(options.maxHeldBytes);
  }

  /** The changes so far, in the order they must be applied. */
  get changes(): readonly FileChange[] {
    return this.#changes.list();
  }

  record(change: FileChange): void {
    this.#changes.add(change);
    this.#tree.apply(change);
  }

  place(path: string, follow: "entry" | "target" = "target"): Promise<Location> {
    return this.#tree.locate(path, { purpose: "write", follow });
  }

  async assertFree(path: string): Promise<void> {
    if (path !== "" && (await this.#tree.entry(path)) === undefined) return;
    throw new ToolError("ALREADY_EXISTS", `${path === "" ? "." : path} already exists`);
  }

  async makeParents(path: string, isAllowed: boolean): Promise<void> {
    const parent = parentPath(path);
    if (parent === "") return;
    const standing = await this.#tree.entry(parent);
    if (standing?.type === "directory") return;
    if (standing !== undefined)
      throw new ToolError("NOT_A_DIRECTORY", `${parent} is a ${standing.type}, not a directory`);
    if (!isAllowed) {
      throw new ToolError("PATH_NOT_FOUND", `The directory ${parent} does not exist`, {
        hint: "Make it first, or let the call make missing directories.",
      });
    }
    await this.makeParents(parent, isAllowed);
    this.record({ kind: "create", path: parent, after: { type: "directory" } });
  }
}

export function flag(place: { readonly protected: boolean }): { protected?: true } {
  return place.protected ? { protected: true } : {};
}

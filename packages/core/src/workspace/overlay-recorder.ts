import { ToolError } from "../error/tool-error.js";
import type { FileChange, Snapshot } from "./file-change.js";
import { OverlayReader } from "./overlay-reader.js";
import { parentPath } from "./path-text.js";
import { RecordedChanges } from "./recorded-changes.js";
import type { Location, WorkspaceStore } from "./workspace-store.js";

/** An overlay that keeps a record of changes: where one may go, what it rests on, and the folders that it needs. */
export class OverlayRecorder extends OverlayReader {
  readonly #changes: RecordedChanges;

  constructor(store: WorkspaceStore, options: { readonly maxHeldBytes?: number } = {}) {
    super(store);
    this.#changes = new RecordedChanges(options.maxHeldBytes);
  }

  /** What was recorded so far, in the order in which it must be applied. */
  get changes(): readonly FileChange[] {
    return this.#changes.list();
  }

  protected record(change: FileChange): void {
    this.#changes.add(change);
    this.tree.apply(change);
  }

  protected place(path: string, follow: "entry" | "target" = "target"): Promise<Location> {
    return this.tree.locate(path, { purpose: "write", follow });
  }

  /** What stands at a path as the rehearsal has seen it. */
  protected asSeen(path: string, now: Snapshot | undefined): Snapshot | undefined {
    const base = this.tree.held(path) === undefined ? this.tree.basePath(path) : undefined;
    return base === undefined ? now : this.seen.asSeen(base, now);
  }

  protected async assertFree(path: string): Promise<void> {
    if (path !== "" && (await this.tree.entry(path)) === undefined) return;
    throw new ToolError("ALREADY_EXISTS", `${path === "" ? "." : path} already exists`);
  }

  protected async makeParents(path: string, isAllowed: boolean): Promise<void> {
    const parent = parentPath(path);
    if (parent === "") return;
    const standing = await this.tree.entry(parent);
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

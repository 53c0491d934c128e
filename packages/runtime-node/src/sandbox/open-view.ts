import { join, relative } from "node:path";
import type { SandboxOutcome, SandboxRequest } from "@haft/core/capabilities";
import {
  type CopiedViewOptions,
  copiedView,
  fitsCopy,
  fitsCopyWithoutIgnored,
  readOnlyView,
} from "./copied-view.js";
import { liftedFolders } from "./lift-folders.js";
import { findOverlayWay, type OverlayWay, overlayView } from "./overlay-view.js";
import { isPrivateFolder } from "./private-folder.js";
import { renamedFolders } from "./renamed-folders.js";
import type { WorkspaceScan } from "./workspace-scan.js";
import type { OpenedView } from "./workspace-view.js";

export interface ViewOptions {
  /** A folder outside the workspace for unrecorded writes of code. */
  readonly stateDirectory: string;
  /** The ways to mount a layer over a folder, best first. Default: all known ways. */
  readonly overlayWays?: readonly Omit<OverlayWay, "folder">[] | undefined;
}

/** Opens views of one workspace: a layer over it, else a copy, else read-only. */
export class OpenViews {
  readonly #workspace: CopiedViewOptions["workspace"];
  readonly #folder: string;
  readonly #ways: ViewOptions["overlayWays"];
  #way: Promise<OverlayWay | undefined> | undefined;

  constructor(workspace: CopiedViewOptions["workspace"], { stateDirectory, overlayWays }: ViewOptions) {
    this.#workspace = workspace;
    this.#folder = join(stateDirectory, "sandbox");
    this.#ways = overlayWays;
  }

  async open(scan: WorkspaceScan, signal: AbortSignal): Promise<OpenedView> {
    const way = await this.#wayFor(scan);
    const { root } = this.#workspace;
    if (way !== undefined) return { view: overlayView(root, way), warnings: [] };
    if (!fitsCopy(scan)) return { view: readOnlyView(root), warnings: [READ_ONLY] };
    return copiedView({ workspace: this.#workspace, scan, isMounted: true, parent: this.#folder, signal });
  }

  /**
   * Opens a view in which folders can be renamed: the kernel renames none of the workspace in a layer. Returns undefined
   * for a workspace that is too large to copy.
   */
  async openCopy(scan: WorkspaceScan, signal: AbortSignal): Promise<OpenedView | undefined> {
    if (!fitsCopyWithoutIgnored(scan)) return undefined;
    const absent = fitsCopy(scan) ? [] : scan.ignored;
    return copiedView({
      workspace: this.#workspace,
      scan,
      absent,
      isMounted: true,
      parent: this.#folder,
      signal,
    });
  }

  /** Opens a layer in which these folders can be renamed. */
  async openLifted(scan: WorkspaceScan, folders: readonly string[]): Promise<OpenedView | undefined> {
    const way = folders.length === 0 ? undefined : await this.#wayFor(scan);
    if (way === undefined) return undefined;
    return { view: overlayView(this.#workspace.root, way, liftedFolders(folders, scan)), warnings: [] };
  }

  /** Returns whether a view of this workspace is a layer. */
  async isLayer(scan: WorkspaceScan): Promise<boolean> {
    return (await this.#wayFor(scan)) !== undefined;
  }

  async #wayFor(scan: WorkspaceScan): Promise<OverlayWay | undefined> {
    this.#way ??= findOverlayWay(layerFolders(this.#workspace.root, this.#folder), this.#ways);
    const way = await this.#way;
    return way !== undefined && this.#canUse(way, scan) ? way : undefined;
  }

  /** Checks a shared place each time: after a cleanup someone else can create it. */
  #canUse(way: OverlayWay, scan: WorkspaceScan): boolean {
    return canLayer(way, scan) && (way.folder === this.#folder || isPrivateFolder(way.folder));
  }
}

/** Opens the view for a request. Reading and background requests use the workspace itself. */
export async function openViewFor(request: SandboxRequest, context: ViewContext): Promise<OpenedView> {
  const { workspace, views, scan, signal } = context;
  if (request.live === true || request.reads === true)
    return { view: readOnlyView(workspace.root), warnings: [] };
  const renaming =
    request.renamesFolders === true
      ? ((await views.openCopy(scan, signal)) ??
        (await views.openLifted(scan, renamedFolders(request, context))))
      : undefined;
  return renaming ?? views.open(scan, signal);
}

interface ViewContext {
  readonly workspace: { readonly root: string };
  readonly views: OpenViews;
  readonly scan: WorkspaceScan;
  readonly signal: AbortSignal;
  /** The run before this one, which failed to rename a folder. */
  readonly failed?: SandboxOutcome | undefined;
}

/**
 * Returns the folders that can hold a layer. On a disk that is itself a layer, as in a container, none can, so memory
 * is used.
 */
export function layerFolders(root: string, own: string, memory = "/dev/shm"): readonly string[] {
  const inMemory = join(memory, `haft-sandbox-${process.geteuid?.()}`);
  const isOutside = (folder: string) => relative(root, folder).startsWith("..");
  return [
    ...[own].filter(isOutside),
    ...[inMemory].filter((each) => isOutside(each) && isPrivateFolder(each)),
  ];
}

/**
 * Returns false for files of several groups: a user namespace maps one group, and files of others cannot be written
 * through its layer.
 */
function canLayer(way: OverlayWay, { hasOtherGroups }: WorkspaceScan): boolean {
  return !hasOtherGroups || !way.unshare.includes("--user");
}

const READ_ONLY =
  "the workspace was read-only: it is too large to copy, and this machine supports no overlay";

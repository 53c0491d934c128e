import { join, relative } from "node:path";
import { type CopiedViewSetting, copiedView, fitsCopy, readOnlyView } from "./copied-view.js";
import { findOverlayWay, type OverlayWay, overlayView } from "./overlay-view.js";
import { isPrivateFolder } from "./private-folder.js";
import type { WorkspaceScan } from "./workspace-scan.js";
import type { OpenedView } from "./workspace-view.js";

export interface ViewOptions {
  /** Outside the workspace, for what code writes until it is recorded. */
  readonly stateDirectory: string;
  /** The ways to put a layer over a folder, best first; all that are known unless given. */
  readonly overlayWays?: readonly Omit<OverlayWay, "folder">[] | undefined;
}

/** Opens views of one workspace: a layer over it where that can be made, else a copy, else it is read-only. */
export class OpenViews {
  readonly #workspace: CopiedViewSetting["workspace"];
  readonly #folder: string;
  readonly #ways: ViewOptions["overlayWays"];
  #way: Promise<OverlayWay | undefined> | undefined;

  constructor(workspace: CopiedViewSetting["workspace"], { stateDirectory, overlayWays }: ViewOptions) {
    this.#workspace = workspace;
    this.#folder = join(stateDirectory, "sandbox");
    this.#ways = overlayWays;
  }

  async open(scan: WorkspaceScan, signal: AbortSignal): Promise<OpenedView> {
    this.#way ??= findOverlayWay(layerFolders(this.#workspace.root, this.#folder), this.#ways);
    const way = await this.#way;
    const { root } = this.#workspace;
    if (way !== undefined && this.#canUse(way, scan)) return { view: overlayView(root, way), warnings: [] };
    if (!fitsCopy(scan)) return { view: readOnlyView(root), warnings: [READ_ONLY] };
    return copiedView({ workspace: this.#workspace, scan, parent: this.#folder, signal });
  }

  /** A shared place is looked at each time: what is swept away there can be made by somebody else. */
  #canUse(way: OverlayWay, scan: WorkspaceScan): boolean {
    return canLayer(way, scan) && (way.folder === this.#folder || isPrivateFolder(way.folder));
  }
}

/** The folders a layer may lie in. On a disk that is itself a layer, as in a container, none can: then memory must do. */
export function layerFolders(root: string, own: string, memory = "/dev/shm"): readonly string[] {
  const inMemory = join(memory, `haft-sandbox-${process.geteuid?.()}`);
  const isOutside = (folder: string) => relative(root, folder).startsWith("..");
  return [
    ...[own].filter(isOutside),
    ...[inMemory].filter((each) => isOutside(each) && isPrivateFolder(each)),
  ];
}

/** A namespace of users knows one group; files of another cannot be written through a layer mounted in it. */
function canLayer(way: OverlayWay, { hasOtherGroups }: WorkspaceScan): boolean {
  return !hasOtherGroups || !way.unshare.includes("--user");
}

const READ_ONLY =
  "the workspace could only be read: it is too large to be copied, and no layer can be put over it on this machine";

import { join, relative } from "node:path";
import { copiedView, fitsCopy, readOnlyView } from "./copied-view.js";
import { findOverlayWay, type OverlayWay, overlayView } from "./overlay-view.js";
import type { WorkspaceScan } from "./workspace-scan.js";
import type { WorkspaceView } from "./workspace-view.js";

export interface ViewOptions {
  /** Outside the workspace, for what code writes until it is recorded. */
  readonly stateDirectory: string;
  /** The ways to put a layer over a folder, best first; all that are known unless given. */
  readonly overlayWays?: readonly Omit<OverlayWay, "folder">[] | undefined;
}

/** Opens views of one workspace: a layer over it where that can be made, else a copy, else it is read-only. */
export class OpenViews {
  readonly #root: string;
  readonly #folder: string;
  readonly #ways: ViewOptions["overlayWays"];
  #way: Promise<OverlayWay | undefined> | undefined;

  constructor(root: string, { stateDirectory, overlayWays }: ViewOptions) {
    this.#root = root;
    this.#folder = join(stateDirectory, "sandbox");
    this.#ways = overlayWays;
  }

  async open(scan: WorkspaceScan): Promise<{ view: WorkspaceView; warnings: readonly string[] }> {
    this.#way ??= findOverlayWay(this.#folders(), this.#ways);
    const way = await this.#way;
    if (way !== undefined && canLayer(way, scan)) return { view: overlayView(this.#root, way), warnings: [] };
    if (fitsCopy(scan)) return { view: copiedView(this.#root, scan, this.#folder), warnings: [] };
    return { view: readOnlyView(this.#root), warnings: [READ_ONLY] };
  }

  /** On a disk that is itself a layer, as in a container, no layer can lie: then memory must do. */
  #folders(): readonly string[] {
    return [this.#folder, "/dev/shm/haft-sandbox"].filter((folder) =>
      relative(this.#root, folder).startsWith(".."),
    );
  }
}

/** A namespace of users knows one group; files of another cannot be written through a layer mounted in it. */
function canLayer(way: OverlayWay, { hasOtherGroups }: WorkspaceScan): boolean {
  return !hasOtherGroups || !way.unshare.includes("--user");
}

const READ_ONLY =
  "the workspace could only be read: it is too large to be copied, and no layer can be put over it on this machine";

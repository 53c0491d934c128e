import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  type Stats,
} from "node:fs";
import { sep } from "node:path";

/**
 * A folder of the tree held by a handle instead of its path. On Linux the handle is a descriptor, so reads stay in
 * this folder even if its path, or a parent, is replaced by a link. Its location is checked after opening. On other
 * systems it is a path checked once; the guarantee about replaced links holds only on Linux, as in the workspace's
 * reader.
 */
export class HeldFolder {
  private constructor(
    /** Ends with a slash. With a name appended, it is valid for one system call while the folder is held. */
    readonly at: string,
    private readonly descriptor: number | undefined,
  ) {}

  /**
   * Opens a folder. `path` is relative to the real root, with a trailing slash. Throws if it is not a folder at
   * exactly this location.
   */
  static open(root: string, path: string): HeldFolder {
    const place = path === "" ? root : `${root === "/" ? "" : root}/${path.slice(0, -1)}`;
    if (DESCRIPTORS === undefined) return HeldFolder.byPath(place);
    const folder = HeldFolder.byDescriptor(place);
    try {
      if (readlinkSync(folder.at.slice(0, -1)) !== place)
        throw new Error(`${path} is not where it should be`);
      return folder;
    } catch (error) {
      folder.close();
      throw error;
    }
  }

  /** Opens a subfolder. Refuses a link, whatever its target. */
  child(name: string): HeldFolder {
    return DESCRIPTORS !== undefined
      ? HeldFolder.byDescriptor(this.at + name)
      : HeldFolder.byPath(this.at + name);
  }

  stats(): Stats {
    return this.descriptor === undefined ? lstatSync(this.at.slice(0, -1)) : fstatSync(this.descriptor);
  }

  /** Call only once: the descriptor may mean something else by then. */
  close(): void {
    if (this.descriptor !== undefined) closeSync(this.descriptor);
  }

  private static byDescriptor(place: string): HeldFolder {
    const descriptor = openSync(place, FLAGS);
    return new HeldFolder(`${DESCRIPTORS}/${descriptor}/`, descriptor);
  }

  private static byPath(place: string): HeldFolder {
    if (realpathSync(place) !== place.split("/").join(sep) || !lstatSync(place).isDirectory())
      throw new Error(`${place} is not where it should be`);
    return new HeldFolder(`${place}/`, undefined);
  }
}

// Descriptors belong to the process, so all threads find theirs here. Naming the process saves resolving a link per
// file.
const DESCRIPTORS = descriptorsFolder();
// Node does not name O_PATH; on Linux it has one value for all architectures Node runs on.
const O_PATH = 0o10000000;
const FLAGS = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;

function descriptorsFolder(): string | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    return `/proc/${readlinkSync("/proc/self")}/fd`;
  } catch {
    // Some containers have no /proc.
    return undefined;
  }
}

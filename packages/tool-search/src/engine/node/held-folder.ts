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
 * A folder of the tree that is held, not named: on Linux by a descriptor, so that what is read in it is read there even
 * if somebody swaps its path, or one above, for a link meanwhile. Where it is was asked after it was opened. Elsewhere it
 * is a path that was checked once; the promise about swapped links is Linux's, as in the workspace's own reader.
 */
export class HeldFolder {
  private constructor(
    /** Ends with a slash: with a name behind it, a path that is good for one system call while the folder is held. */
    readonly at: string,
    private readonly descriptor: number | undefined,
  ) {}

  /** `path` is relative to the real root, with a trailing slash. Throws when that is not a folder in this very place. */
  static open(root: string, path: string): HeldFolder {
    const place = path === "" ? root : `${root === "/" ? "" : root}/${path.slice(0, -1)}`;
    if (DESCRIPTORS === undefined) return HeldFolder.byPath(place);
    const folder = HeldFolder.byDescriptor(place);
    try {
      if (readlinkSync(folder.at.slice(0, -1)) !== place) throw new Error(`${path} leads out of its place`);
      return folder;
    } catch (error) {
      folder.close();
      throw error;
    }
  }

  /** Holds a folder inside; a link is refused, whatever it points to. */
  child(name: string): HeldFolder {
    return DESCRIPTORS !== undefined
      ? HeldFolder.byDescriptor(this.at + name)
      : HeldFolder.byPath(this.at + name);
  }

  stats(): Stats {
    return this.descriptor === undefined ? lstatSync(this.at.slice(0, -1)) : fstatSync(this.descriptor);
  }

  /** Only once: the number may stand for something else by then. */
  close(): void {
    if (this.descriptor !== undefined) closeSync(this.descriptor);
  }

  private static byDescriptor(place: string): HeldFolder {
    const descriptor = openSync(place, FLAGS);
    return new HeldFolder(`${DESCRIPTORS}/${descriptor}/`, descriptor);
  }

  private static byPath(place: string): HeldFolder {
    if (realpathSync(place) !== place.split("/").join(sep) || !lstatSync(place).isDirectory())
      throw new Error(`${place} leads out of its place`);
    return new HeldFolder(`${place}/`, undefined);
  }
}

// Descriptors belong to the process: all its threads find theirs here. Naming the process saves a link for each file.
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

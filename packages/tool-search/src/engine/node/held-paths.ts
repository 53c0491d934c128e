import { HeldFolder } from "./held-folder.js";

/**
 * The way from a path to a file of the tree. Files come folder by folder, so the last folder stays held, whether it was
 * listed or one of its files opened: each folder is looked at once, and its files cost nothing more.
 */
export class HeldPaths {
  private path = "";
  private folder: HeldFolder | undefined;

  constructor(private readonly root: string) {}

  /**
   * A path to what `path` names, good for one system call before the next is asked for; only the last name may still
   * be a link. Throws when the folder is not where it should be.
   */
  to(path: string): string {
    const { folder, path: held } = this;
    // Nearly always the next file of the same folder.
    if (folder && path.startsWith(held) && path.indexOf("/", held.length) < 0)
      return folder.at + path.slice(held.length);
    const slash = path.lastIndexOf("/") + 1;
    return this.within(path.slice(0, slash)) + path.slice(slash);
  }

  /** The same for a folder's own entries; `path` has a trailing slash, or is "" for the root. */
  within(path: string): string {
    return this.hold(path).at;
  }

  /** The folder itself, held until the next is asked for. */
  hold(path: string): HeldFolder {
    if (this.folder === undefined || this.path !== path) {
      this.release();
      this.folder = HeldFolder.open(this.root, path);
      this.path = path;
    }
    return this.folder;
  }

  /** Holds nothing any more, until asked again. */
  release(): void {
    const { folder } = this;
    this.folder = undefined;
    folder?.close();
  }
}

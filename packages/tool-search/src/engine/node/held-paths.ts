import { HeldFolder } from "./held-folder.js";

/**
 * Resolves paths to files of the tree. Files arrive folder by folder, so the last folder stays open, whether it was
 * listed or one of its files opened: each folder is checked once, and its files cost nothing more.
 */
export class HeldPaths {
  private path = "";
  private folder: HeldFolder | undefined;

  constructor(private readonly root: string) {}

  /**
   * Returns a path to the file, valid for one system call until the next request. Only the last name may still be a
   * link. Throws if the folder was moved.
   */
  to(path: string): string {
    const { folder, path: held } = this;
    // Almost always the next file of the same folder.
    if (folder && path.startsWith(held) && path.indexOf("/", held.length) < 0)
      return folder.at + path.slice(held.length);
    const slash = path.lastIndexOf("/") + 1;
    return this.within(path.slice(0, slash)) + path.slice(slash);
  }

  /** Returns the prefix for a folder's own entries. `path` has a trailing slash, or is "" for the root. */
  within(path: string): string {
    return this.hold(path).at;
  }

  /** Returns the folder itself, open until the next request. */
  hold(path: string): HeldFolder {
    if (this.folder === undefined || this.path !== path) {
      this.release();
      this.folder = HeldFolder.open(this.root, path);
      this.path = path;
    }
    return this.folder;
  }

  /** Closes the open folder; it can be used again. */
  release(): void {
    const { folder } = this;
    this.folder = undefined;
    folder?.close();
  }
}

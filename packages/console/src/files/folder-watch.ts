import { type FSWatcher, statSync, watch } from "node:fs";

interface Watched {
  readonly watcher: FSWatcher;
  /** Distinguishes the folder from one recreated in its place, which the watcher does not notice. */
  readonly identity: string;
}

/**
 * Watches the folders that pages show, to detect edits by other programs. Folders are watched one by one:
 * a recursive watch would walk through node_modules.
 */
export class FolderWatch {
  readonly #watchers = new Map<string, Watched>();
  readonly #changed = new Set<string>();
  readonly #tell: (folders: readonly string[]) => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(tell: (folders: readonly string[]) => void) {
    this.#tell = tell;
  }

  /**
   * Watches a folder, named by its workspace path. The oldest ones are dropped when there are too many. Returns whether
   * it is new.
   */
  add(folder: string, absolute: string): boolean {
    const known = this.#watchers.get(folder);
    this.#watchers.delete(folder);
    const isSame = known !== undefined && known.identity === identityOf(absolute);
    if (!isSame) known?.watcher.close();
    const watched = isSame ? known : this.#open(folder, absolute);
    if (watched !== undefined) this.#watchers.set(folder, watched);
    for (const [oldest, each] of this.#watchers) {
      if (this.#watchers.size <= MAX_WATCHED) break;
      each.watcher.close();
      this.#watchers.delete(oldest);
    }
    return !isSame && watched !== undefined;
  }

  /** Reports a change in a folder. Pages are notified once for all folders that change within a moment. */
  changed(folder: string): void {
    this.#changed.add(folder);
    this.#timer ??= setTimeout(() => {
      const folders = [...this.#changed];
      this.#changed.clear();
      this.#timer = undefined;
      this.#tell(folders);
    }, GATHER_MS);
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const { watcher } of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #open(folder: string, absolute: string): Watched | undefined {
    try {
      const identity = identityOf(absolute);
      const watcher = watch(absolute, { persistent: false }, () => this.changed(folder));
      watcher.on("error", () => {
        watcher.close();
        if (this.#watchers.get(folder)?.watcher === watcher) this.#watchers.delete(folder);
        this.changed(folder);
      });
      return { watcher, identity };
    } catch {
      // A folder that cannot be watched, such as a deleted one, is read again when tools change it.
      return undefined;
    }
  }
}

/** File systems use numbers of deleted folders again, so the time of birth counts too. Empty for one that is gone. */
export function identityOf(absolute: string): string {
  const found = statSync(absolute, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? "" : `${found.dev} ${found.ino} ${found.birthtimeNs}`;
}

const MAX_WATCHED = 400;
const GATHER_MS = 60;

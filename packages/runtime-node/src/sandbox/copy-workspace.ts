import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  openSync,
  readlinkSync,
  type Stats,
  symlinkSync,
} from "node:fs";
import { copyFile } from "node:fs/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type FileName, HeldDirectory } from "../workspace/held-directory.js";
import { errnoOf } from "../workspace/system-error.js";

export interface CopyOptions {
  readonly root: string;
  /** The folder to create. */
  readonly copy: string;
  /** Returns whether an entry belongs in the copy. */
  readonly isOpen: (path: string, stats: Stats) => boolean;
  readonly signal: AbortSignal;
}

export interface WorkspaceCopy {
  /** Every entry of the copy with a mark that changes on write. */
  readonly marks: ReadonlyMap<string, string>;
  /** Entries that could not be copied, with the system's reason. */
  readonly unreadable: ReadonlyMap<string, string>;
}

/**
 * Copies a workspace that others may be changing. Directories are held open, so one replaced by a link leads nowhere.
 * Entries that vanish meanwhile are not in the copy. Rejects with the signal's reason.
 */
export async function copyWorkspace(setting: CopyOptions): Promise<WorkspaceCopy> {
  const copying = new Copying(setting);
  const root = HeldDirectory.open(setting.root);
  try {
    mkdirSync(setting.copy, { mode: 0o755 });
    await copying.entries(root, root.allNames(), "");
    chmodSync(setting.copy, Number(root.stat().mode) & 0o777);
    return copying;
  } finally {
    root.close();
  }
}

/**
 * Returns a mark that differs after any write, even one that restores the times. A directory either exists or not.
 */
export function markOf(stats: Stats): string {
  const { ino, mode, size, ctimeMs } = stats;
  return stats.isDirectory() ? "directory" : `${ino} ${mode} ${size} ${ctimeMs}`;
}

class Copying implements WorkspaceCopy {
  readonly marks = new Map<string, string>();
  readonly unreadable = new Map<string, string>();
  readonly #setting: CopyOptions;
  #turnEndsAt = performance.now() + TURN_MS;

  constructor(setting: CopyOptions) {
    this.#setting = setting;
  }

  async entries(from: HeldDirectory, names: readonly FileName[], path: string): Promise<void> {
    for (const name of names) {
      await this.#letOthers();
      const entry = path === "" ? String(name) : `${path}/${name}`;
      if (typeof name === "string") await this.#entry(from, name, entry);
      else this.unreadable.set(entry, "its name is not UTF-8");
    }
  }

  async #entry(from: HeldDirectory, name: string, path: string): Promise<void> {
    try {
      const stats = lstatSync(from.at(name), { throwIfNoEntry: false });
      if (stats === undefined || !this.#setting.isOpen(path, stats)) return;
      if (stats.isSymbolicLink()) this.#link(from.at(name), path, stats);
      else if (stats.isDirectory()) await this.#below(from, name, { path, stats });
      else if (stats.isFile()) await this.#file(from.at(name), path);
    } catch (error) {
      const code = errnoOf(error);
      if (code === undefined || code in OF_THE_COPY) throw error;
      if (!(code in ELSEWHERE_NOW)) this.unreadable.set(path, code);
    }
  }

  async #below(from: HeldDirectory, name: string, to: { path: string; stats: Stats }): Promise<void> {
    const held = from.openDirectory(name);
    try {
      const place = this.#place(to.path);
      // Listed before it is created: a folder that cannot be listed is not in the copy.
      const names = held.allNames();
      mkdirSync(place, { mode: 0o700 });
      this.marks.set(to.path, "directory");
      await this.entries(held, names, to.path);
      chmodSync(place, to.stats.mode & 0o777);
      lutimesSync(place, to.stats.atime, to.stats.mtime);
    } finally {
      held.close();
    }
  }

  #link(from: string, path: string, { atime, mtime }: Stats): void {
    const place = this.#place(path);
    symlinkSync(readlinkSync(from), place);
    lutimesSync(place, atime, mtime);
    this.#mark(path);
  }

  /** Copies the file that was opened, not a link that replaced it. */
  async #file(from: string, path: string): Promise<void> {
    const descriptor = openSync(from, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stats = fstatSync(descriptor);
      if (!stats.isFile()) return;
      const source = process.platform === "linux" ? `/proc/self/fd/${descriptor}` : from;
      const place = this.#place(path);
      if (stats.size > LARGE_BYTES) await copyFile(source, place, constants.COPYFILE_FICLONE);
      else copyFileSync(source, place, constants.COPYFILE_FICLONE);
      lutimesSync(place, stats.atime, stats.mtime);
      this.#mark(path);
    } finally {
      closeSync(descriptor);
    }
  }

  #mark(path: string): void {
    this.marks.set(path, markOf(lstatSync(this.#place(path))));
  }

  #place(path: string): string {
    return `${this.#setting.copy}/${path}`;
  }

  /**
   * Yields regularly: copying small files synchronously is faster than a thread each, but must not block for long.
   */
  async #letOthers(): Promise<void> {
    this.#setting.signal.throwIfAborted();
    if (performance.now() < this.#turnEndsAt) return;
    await nextTurn();
    this.#setting.signal.throwIfAborted();
    this.#turnEndsAt = performance.now() + TURN_MS;
  }
}

const TURN_MS = 10;
const LARGE_BYTES = 256 * 1024;
/** Errors of entries that vanished or changed their type. */
const ELSEWHERE_NOW: Readonly<Record<string, true>> = {
  ENOENT: true,
  ENOTDIR: true,
  ELOOP: true,
  ENXIO: true,
};
/** Errors of the copy rather than of the source. */
const OF_THE_COPY: Readonly<Record<string, true>> = {
  ENOSPC: true,
  EDQUOT: true,
  EROFS: true,
  EMFILE: true,
  ENFILE: true,
};

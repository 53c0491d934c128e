import { lstatSync, type Stats } from "node:fs";
import type { FolderSource, FolderView } from "./folder-view.js";
import type { HeldFolder } from "./held-folder.js";
import type { HeldPaths } from "./held-paths.js";
import { deviceOfFolders, FOLDER_SETTLED_MS, isSettled } from "./kept-times.js";
import { viewOf } from "./read-folder.js";

const MAX_ENTRIES = 200_000;

/**
 * Caches folders while they are unchanged. A stat of a folder costs a fifth of listing it, and the ignore rules for
 * its entries need not be evaluated again. Exact: see kept-times.ts.
 */
export class FolderCache implements FolderSource {
  private readonly known = new Map<string, KnownFolder>();
  private entries = 0;
  private moment = 0;
  private readonly device: number | undefined;

  constructor(
    private readonly root: string,
    private readonly settledMs = FOLDER_SETTLED_MS,
  ) {
    this.device = deviceOfFolders(root);
  }

  read(path: string, held: HeldPaths): FolderView {
    if (this.device === undefined) return viewOf(held.hold(path), path);
    const known = this.known.get(path);
    if (known && this.isUnchanged(known)) {
      known.checked = this.moment;
      return known.view;
    }
    this.forget(path, known);
    return this.readAnew(path, held.hold(path));
  }

  /** Starts a new answer: every folder must be checked again. */
  nextMoment(): void {
    this.moment++;
  }

  /** The same folders for a search that belongs to the same answer as the previous one: none is checked twice. */
  readonly checkedOnce: FolderSource = {
    read: (path, held) => {
      const known = this.known.get(path);
      return known?.checked === this.moment ? known.view : this.read(path, held);
    },
  };

  // Checked by path, which a link may have replaced meanwhile: it is the same folder, or it is read again.
  private isUnchanged({ view, stamp, ignoreFiles }: KnownFolder): boolean {
    const place = `${this.root}/${view.path}`;
    if (!isSame(stamp, statsOf(place.slice(0, -1)))) return false;
    return ignoreFiles.every((file) => isSame(file.stamp, statsOf(place + file.name)));
  }

  private readAnew(path: string, folder: HeldFolder): FolderView {
    const now = Date.now();
    const stats = folder.stats();
    const view = viewOf(folder, path);
    if (stats.dev === this.device && this.isSettled(stats, now)) this.keep(view, folder, { stats, now });
    return view;
  }

  // Checked after reading: a file that changed in between is too recent to cache.
  private keep(view: FolderView, folder: HeldFolder, { stats, now }: { stats: Stats; now: number }): void {
    if (!view.canBeKept || this.entries + view.entries.length > MAX_ENTRIES) return;
    const ignoreFiles: KnownFile[] = [];
    for (const name of view.ignoreFiles) {
      const found = statsOf(folder.at + name);
      if (found && !this.isSettled(found, now)) return;
      ignoreFiles.push({ name, stamp: found && stampOf(found) });
    }
    this.entries += view.entries.length;
    this.known.set(view.path, { stamp: stampOf(stats), view, ignoreFiles, checked: this.moment });
  }

  private forget(path: string, known: KnownFolder | undefined): void {
    if (!known) return;
    this.known.delete(path);
    this.entries -= known.view.entries.length;
  }

  private isSettled(stats: Stats, now: number): boolean {
    return isSettled(stats, { now, settledMs: this.settledMs });
  }
}

interface KnownFolder {
  readonly stamp: Stamp;
  readonly view: FolderView;
  readonly ignoreFiles: readonly KnownFile[];
  /** The moment when it was last found unchanged. */
  checked: number;
}

interface KnownFile {
  readonly name: string;
  /** Undefined if the file was missing. */
  readonly stamp: Stamp | undefined;
}

type Stamp = Pick<Stats, "ino" | "dev" | "ctimeMs" | "mtimeMs">;

function stampOf({ ino, dev, ctimeMs, mtimeMs }: Stats): Stamp {
  return { ino, dev, ctimeMs, mtimeMs };
}

// Stats the entry itself: the target of a link has no rules.
function statsOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

function isSame(stamp: Stamp | undefined, stats: Stats | undefined): boolean {
  if (stamp === undefined || stats === undefined) return stamp === stats;
  return (
    stamp.ctimeMs === stats.ctimeMs &&
    stamp.mtimeMs === stats.mtimeMs &&
    stamp.ino === stats.ino &&
    stamp.dev === stats.dev
  );
}

import { readlinkSync, type Stats } from "node:fs";
import { dirname, relative } from "node:path";
import { isInside, joinPath } from "@haft/core/workspace";
import type { DraftChange } from "./draft-change.js";
import { DraftList } from "./draft-list.js";
import { foreignEntry, isContent, isNewer } from "./foreign-entry.js";
import { movedIntoPackages } from "./moved-into-packages.js";
import { isPackageFolder } from "./pass-through.js";
import { VettedChanges } from "./vetted-changes.js";
import type { ViewComparison } from "./view-comparison.js";
import { completesRepository, hasSameContent, namesIn, statsOf } from "./view-entry.js";

/** Compares a view with its workspace. */
export class ViewDifferences {
  /** Paths that someone else changed meanwhile. */
  readonly conflicts: string[] = [];
  readonly vetting: VettedChanges;
  readonly #setting: ViewComparison;
  readonly #dropped: string[] = [];
  readonly #list: DraftList;

  constructor(setting: ViewComparison) {
    this.#setting = setting;
    this.vetting = new VettedChanges(setting.workspace);
    this.#list = new DraftList(setting);
  }

  get drafts(): readonly DraftChange[] {
    return this.#list.drafts;
  }

  /** Throws TooMuch. */
  compare(): void {
    const modes = [this.#real(""), this.#seen("")].map((place) => (statsOf(place)?.mode ?? 0) & 0o777);
    if (modes[0] !== modes[1]) this.vetting.notes.push("the workspace folder itself keeps its permissions");
    this.#directory("", false);
    const isDeleting = this.drafts.some(({ kind }) => kind === "delete");
    const moved = isDeleting ? movedIntoPackages({ ...this.#setting, dropped: this.#dropped }) : undefined;
    if (moved !== undefined) this.vetting.leave(moved, "only commands that install packages change it");
  }

  /** `isNew` says that the workspace has no such directory, so all of it counts. Returns whether it could be read. */
  #directory(path: string, isNew: boolean): boolean {
    const before = isNew ? [] : namesIn(this.#real(path));
    const now = this.vetting.reading(path, () => this.#list.names(path, before.length));
    if (now === undefined) return false;
    const left = new Set(now);
    for (const name of before) if (!left.has(name)) this.#gone(joinPath(path, name));
    const candidates = isNew ? now : this.#candidates(path, now, before);
    for (const name of candidates) this.#entry(joinPath(path, name), isNew);
    return true;
  }

  /** Returns the names that may differ, skipping those that the view never touched. */
  #candidates(path: string, now: readonly string[], before: readonly string[]): readonly string[] {
    const touched = this.#setting.view.touchedIn(path);
    if (touched === undefined) return now;
    const known = new Set(before);
    return now.filter((name) => touched.has(name) || !known.has(name));
  }

  #entry(path: string, isNew: boolean): void {
    const { view } = this.#setting;
    const before = isNew ? undefined : statsOf(this.#real(path));
    if (before === undefined && view.had(path)) this.#deletedByOthers(path);
    else if (before === undefined || view.isTouched(path)) this.#touched(path, before);
  }

  #touched(path: string, before: Stats | undefined): void {
    if (this.#setting.isDropped?.(path)) {
      this.#dropped.push(path);
      return;
    }
    const after = statsOf(this.#seen(path));
    if (after === undefined) this.vetting.leave(path, "its name is not UTF-8");
    if (after === undefined || this.#setting.view.isPlaceholder?.(after)) return;
    if (before?.isDirectory() && after.isDirectory()) this.#inBoth(path, before, after);
    else if (this.vetting.mayChange(path) && this.#isOurs(path, before)) this.#changed(path, before, after);
  }

  #inBoth(path: string, before: Stats, after: Stats): void {
    const isRead = this.#directory(path, false);
    const mode = after.mode & 0o777;
    if (!isRead || mode === (before.mode & 0o777) || !this.vetting.mayChange(path)) return;
    if (isNewer(this.#setting, path)) this.conflicts.push(path);
    else this.#add({ kind: "mode", path, mode });
  }

  /** It stays deleted. Only lost work of the code is a conflict. */
  #deletedByOthers(path: string): void {
    if (this.vetting.reading(path, () => this.#isWorkedOn(path))) this.conflicts.push(path);
  }

  #isWorkedOn(path: string): boolean {
    const { view } = this.#setting;
    if (!view.had(path)) return true;
    if (!statsOf(this.#seen(path))?.isDirectory()) return view.isTouched(path);
    return namesIn(this.#seen(path)).some((name) => this.#isWorkedOn(joinPath(path, name)));
  }

  #changed(path: string, before: Stats | undefined, after: Stats): void {
    if (completesRepository(this.#seen(path)))
      this.vetting.leave(path, "git would run what such a repository names");
    else if (after.isFile()) this.#file(path, before, after);
    else if (after.isSymbolicLink()) this.#link(path, before);
    else if (after.isDirectory()) this.#newDirectory(path, before, after);
    else this.vetting.leave(path, "it is now neither a file, a folder nor a link");
  }

  #newDirectory(path: string, before: Stats | undefined, after: Stats): void {
    if (before !== undefined) this.#delete(path);
    this.#add({ kind: "directory", path, mode: after.mode & 0o777 });
    this.#directory(path, true);
  }

  #file(path: string, before: Stats | undefined, after: Stats): void {
    const mode = after.mode & 0o777;
    const isAlike = before?.isFile() && before.size === after.size && (before.mode & 0o777) === mode;
    if (isAlike) {
      const isSame = this.vetting.reading(path, () => hasSameContent(this.#real(path), this.#seen(path)));
      if (isSame !== false) return;
    }
    if (before !== undefined && !before.isFile()) this.#delete(path);
    this.#add({ kind: "file", path, size: after.size, mode, modifiedMs: after.mtimeMs });
  }

  #link(path: string, before: Stats | undefined): void {
    const target = this.#targetOf(path);
    if (before?.isSymbolicLink() && readlinkSync(this.#real(path)) === target) return;
    if (!this.vetting.mayLead(path, target)) return;
    if (before !== undefined) this.#delete(path);
    this.#add({ kind: "symlink", path, target });
  }

  /** Returns the target of a link. One inside the view, which disappears, means the same path of the workspace. */
  #targetOf(path: string): string {
    const target = readlinkSync(this.#seen(path));
    const place = dirname(this.#seen(path));
    return target.startsWith(`${this.#setting.view.path}/`) ? relative(place, target) : target;
  }

  #gone(path: string): void {
    const before = statsOf(this.#real(path));
    if (before === undefined || !isContent(before)) {
      this.#keepOdd(path, before);
      return;
    }
    if (this.#setting.isDropped?.(path)) {
      if (isPackageFolder(path) && before.isDirectory()) this.vetting.keepPackages(path);
      return;
    }
    // It was never in the view, so it was not deleted from it.
    if (this.#setting.view.had(path) === false) return;
    const { guarded, secret } = this.#setting.scan;
    const kept = [...guarded.keys(), ...secret.map((entry) => entry.path)].find((each) =>
      isInside(each, path),
    );
    // Not every view contains such entries.
    if (kept === path) return;
    if (kept !== undefined) this.vetting.leave(path, `it holds ${kept}, so it was not deleted`);
    else if (this.vetting.mayChange(path) && this.#isOurs(path, before)) this.#delete(path);
  }

  /** The workspace cannot delete such an entry by itself, nor bring it back. */
  #keepOdd(path: string, before: Stats | undefined): void {
    if (this.#setting.isDropped?.(path) || this.#setting.view.had(path) === false) return;
    if (before !== undefined) this.vetting.keep(path, "it is neither a file, a folder nor a link");
    else if (path.includes(NOT_UTF8)) this.vetting.keep(path, "its name is not UTF-8");
  }

  #delete(path: string): void {
    this.#add({ kind: "delete", path });
  }

  #add(change: DraftChange): void {
    this.#list.add(change);
  }

  #isOurs(path: string, before: Stats | undefined): boolean {
    const foreign = before === undefined ? undefined : foreignEntry(this.#setting, path);
    if (foreign === undefined) return true;
    if (isNewer(this.#setting, foreign)) this.conflicts.push(foreign);
    else this.vetting.leave(path, `the code could not see ${foreign === path ? "it" : foreign}`);
    return false;
  }

  #seen(path: string): string {
    return `${this.#setting.view.path}/${path}`;
  }

  #real(path: string): string {
    return `${this.#setting.workspace.root}/${path}`;
  }
}

/** Represents each byte of a name that is not UTF-8. */
const NOT_UTF8 = "\ufffd";

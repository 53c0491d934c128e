import { readlinkSync, type Stats } from "node:fs";
import { basename, dirname } from "node:path";
import { joinPath } from "@haft/core/workspace";
import { ContentHashes } from "./content-hashes.js";
import type { DraftChange, DraftFile } from "./draft-change.js";
import { namesIn, statsOf } from "./view-entry.js";

type Made = Exclude<DraftChange, { readonly kind: "delete" | "move" | "mode" }>;

interface MovePlaces {
  /** The workspace, which still has what was deleted. */
  readonly root: string;
  /** The view, which has what is new. */
  readonly view: string;
}

/**
 * Finds renames among changes: a file or folder that is gone, and an equal one at a new path. Applying the result leaves
 * the same tree as applying the given changes.
 */
export function findMoves(places: MovePlaces, changes: readonly DraftChange[]): readonly DraftChange[] {
  const search = new MoveSearch(places, changes);
  const files = changes.flatMap(({ kind, path }) => (kind === "delete" ? search.folder(path) : []));
  // Files without content look alike: those that keep their name or their folder choose first.
  search.files(files, nearKeys);
  search.files(files, (key) => [key]);
  return search.renamed(changes);
}

class MoveSearch {
  readonly #places: MovePlaces;
  readonly #made: ReadonlyMap<string, Made>;
  /** New entries that may be renamed ones, by properties that are cheap to compare. */
  readonly #alike = new Map<string, Set<Made>>();
  /** The new entries in each folder. */
  readonly #inside = new Map<string, Made[]>();
  readonly #moves = new Map<string, string>();
  readonly #taken = new Set<string>();
  readonly #stats = new Map<string, Stats | undefined>();
  #comparisons = 0;
  readonly #hashes = new ContentHashes(MAX_COMPARED_BYTES);

  constructor(places: MovePlaces, changes: readonly DraftChange[]) {
    this.#places = places;
    const made = changes.filter(isMade);
    this.#made = new Map(made.map((change) => [change.path, change]));
    for (const change of made) {
      const folder = dirname(change.path);
      const inside = this.#inside.get(folder);
      if (inside === undefined) this.#inside.set(folder, [change]);
      else inside.push(change);
    }
    for (const change of made) if (statsOf(this.#real(change.path)) === undefined) this.#offer(change);
  }

  /** Looks for a deleted folder as a whole, then for those in it. Returns the files that are left. */
  folder(from: string): readonly string[] {
    // Its replacement came from elsewhere, or later.
    if (this.#made.has(from)) return [];
    const stats = statsOf(this.#real(from));
    if (stats?.isDirectory() !== true) return [from];
    const names = namesIn(this.#real(from));
    if (this.#move(from, [`directory ${names.length}`])) return [];
    return names.flatMap((name) => this.folder(joinPath(from, name)));
  }

  /** Looks for deleted files among the new ones with one of these keys. */
  files(deleted: readonly string[], keysFor: KeysFor): void {
    for (const from of deleted) {
      const stats = this.#moves.has(from) ? undefined : statsOf(this.#real(from));
      if (stats !== undefined) this.#move(from, keysFor(keyOfStats(stats), from));
    }
  }

  renamed(changes: readonly DraftChange[]): readonly DraftChange[] {
    const origins = new Map([...this.#moves].map(([from, path]) => [path, from]));
    return changes.flatMap((change): readonly DraftChange[] => {
      const { path } = change;
      if (change.kind === "delete") return this.#moves.has(path) ? [] : [change];
      const from = origins.get(path);
      if (from !== undefined) return [{ kind: "move", from, path }];
      return this.#taken.has(path) ? [] : [change];
    });
  }

  #offer(change: Made): void {
    for (const key of this.#keysOf(change)) {
      const alike = this.#alike.get(key);
      if (alike === undefined) this.#alike.set(key, new Set([change]));
      else alike.add(change);
    }
  }

  #move(from: string, keys: readonly string[]): boolean {
    const found = this.#find(from, keys);
    if (found === undefined) return false;
    this.#moves.set(from, found.path);
    this.#take(found);
    return true;
  }

  #find(from: string, keys: readonly string[]): Made | undefined {
    for (const key of keys)
      for (const change of this.#alike.get(key) ?? []) {
        if (this.#comparisons >= MAX_COMPARISONS) return undefined;
        if (this.#isSame(from, change)) return change;
      }
    return undefined;
  }

  #take(change: Made): void {
    this.#taken.add(change.path);
    for (const key of this.#keysOf(change)) this.#alike.get(key)?.delete(change);
    if (change.kind !== "directory") return;
    for (const inside of this.#inside.get(change.path) ?? []) this.#take(inside);
  }

  /** A part of it that is already the target of another move cannot be moved with it. */
  #isSame(from: string, change: Made): boolean {
    this.#comparisons += 1;
    const stats = this.#taken.has(change.path) ? undefined : this.#statsOf(from);
    if (stats === undefined) return false;
    if (change.kind === "directory") return this.#isSameFolder(from, stats, change);
    if (change.kind === "symlink")
      return stats.isSymbolicLink() && readlinkSync(this.#real(from)) === change.target;
    return stats.isFile() && isSameFile(stats, change) && this.#hasSameContent(from, change);
  }

  #hasSameContent(from: string, { path }: DraftFile): boolean {
    return this.#hashes.areEqual(this.#real(from), `${this.#places.view}/${path}`);
  }

  #isSameFolder(from: string, stats: Stats, { path, mode }: Extract<Made, { kind: "directory" }>): boolean {
    if (!stats.isDirectory() || modeOf(stats) !== (mode ?? modeOf(stats))) return false;
    const names = namesIn(this.#real(from));
    return (
      names.length === (this.#inside.get(path)?.length ?? 0) &&
      names.every((name) => this.#isSameIn(from, path, name))
    );
  }

  #isSameIn(from: string, to: string, name: string): boolean {
    const inside = this.#made.get(joinPath(to, name));
    return inside !== undefined && this.#isSame(joinPath(from, name), inside);
  }

  #statsOf(from: string): Stats | undefined {
    if (!this.#stats.has(from)) this.#stats.set(from, statsOf(this.#real(from)));
    return this.#stats.get(from);
  }

  #keysOf(change: Made): readonly string[] {
    if (change.kind === "directory") return [`directory ${this.#inside.get(change.path)?.length ?? 0}`];
    const key = change.kind === "symlink" ? "symlink" : `file ${change.size}`;
    return [key, ...nearKeys(key, change.path)];
  }

  #real(path: string): string {
    return `${this.#places.root}/${path}`;
  }
}

type KeysFor = (key: string, path: string) => readonly string[];

/** The keys of entries with the same name, or in the same folder. */
function nearKeys(key: string, path: string): readonly string[] {
  return [`${key} named ${basename(path)}`, `${key} in ${dirname(path)}`];
}

/**
 * The deleted files are not limited. Comparing reads the disk, and nothing else happens meanwhile. Beyond this, what is
 * left counts as deleted and created.
 */
const MAX_COMPARISONS = 100_000;
const MAX_COMPARED_BYTES = 1024 ** 3;

function isMade(change: DraftChange): change is Made {
  return change.kind !== "delete" && change.kind !== "move" && change.kind !== "mode";
}

function keyOfStats(stats: Stats): string {
  return stats.isSymbolicLink() ? "symlink" : `file ${stats.size}`;
}

/** A copy made now has another time, and a moved file keeps its own. */
function isSameFile(stats: Stats, { size, mode, modifiedMs }: DraftFile): boolean {
  return stats.size === size && Math.abs(stats.mtimeMs - modifiedMs) < 1 && modeOf(stats) === mode;
}

function modeOf({ mode }: Stats): number {
  return mode & 0o777;
}

import { readlinkSync, type Stats } from "node:fs";
import { basename, dirname } from "node:path";
import type { SandboxChange } from "@haft/core/capabilities";
import { joinPath } from "@haft/core/workspace";
import { isSame, namesIn, statsOf } from "./view-entry.js";

type Made = Exclude<SandboxChange, { readonly kind: "delete" | "move" | "mode" }>;

/**
 * Finds renames among changes: a file or folder that is gone, and an equal one at a new path. `root` is the workspace,
 * which still has the deleted ones. Applying the result leaves the same tree as applying the given changes.
 */
export function findMoves(root: string, changes: readonly SandboxChange[]): readonly SandboxChange[] {
  const search = new MoveSearch(root, changes);
  const files = changes.flatMap(({ kind, path }) => (kind === "delete" ? search.folder(path) : []));
  // Files without content look alike: those that keep their name or their folder choose first.
  search.files(files, nearKeys);
  search.files(files, (key) => [key]);
  return search.renamed(changes);
}

class MoveSearch {
  readonly #root: string;
  readonly #made: ReadonlyMap<string, Made>;
  /** New entries that may be renamed ones, by properties that are cheap to compare. */
  readonly #alike = new Map<string, Set<Made>>();
  /** The new entries in each folder. */
  readonly #inside = new Map<string, Made[]>();
  readonly #moves = new Map<string, string>();
  readonly #taken = new Set<string>();
  #comparisons = 0;

  constructor(root: string, changes: readonly SandboxChange[]) {
    this.#root = root;
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

  renamed(changes: readonly SandboxChange[]): readonly SandboxChange[] {
    const origins = new Map([...this.#moves].map(([from, path]) => [path, from]));
    return changes.flatMap((change): readonly SandboxChange[] => {
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
    const stats = this.#taken.has(change.path) ? undefined : statsOf(this.#real(from));
    if (stats === undefined) return false;
    if (change.kind === "directory") return this.#isSameFolder(from, stats, change);
    if (change.kind === "symlink")
      return stats.isSymbolicLink() && readlinkSync(this.#real(from)) === change.target;
    return stats.isFile() && isSameFile(stats, change) && isSame(this.#real(from), stats, change.bytes);
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

  #keysOf(change: Made): readonly string[] {
    if (change.kind === "directory") return [`directory ${this.#inside.get(change.path)?.length ?? 0}`];
    const key = change.kind === "symlink" ? "symlink" : `file ${change.bytes.length}`;
    return [key, ...nearKeys(key, change.path)];
  }

  #real(path: string): string {
    return `${this.#root}/${path}`;
  }
}

type KeysFor = (key: string, path: string) => readonly string[];

/** The keys of entries with the same name, or in the same folder. */
function nearKeys(key: string, path: string): readonly string[] {
  return [`${key} named ${basename(path)}`, `${key} in ${dirname(path)}`];
}

/**
 * Limits comparisons, because the number of deleted files is unlimited and each comparison reads the disk while nothing else runs. Beyond the limit,
 * the remaining files count as deleted and created.
 */
const MAX_COMPARISONS = 100_000;

function isMade(change: SandboxChange): change is Made {
  return change.kind !== "delete" && change.kind !== "move" && change.kind !== "mode";
}

function keyOfStats(stats: Stats): string {
  return stats.isSymbolicLink() ? "symlink" : `file ${stats.size}`;
}

/** A new copy has another time, while a moved file keeps its own. */
function isSameFile(stats: Stats, { mode, modifiedMs }: Extract<Made, { kind: "file" }>): boolean {
  const isSameTime = modifiedMs === undefined || Math.abs(stats.mtimeMs - modifiedMs) < 1;
  return isSameTime && modeOf(stats) === mode;
}

function modeOf({ mode }: Stats): number {
  return mode & 0o777;
}

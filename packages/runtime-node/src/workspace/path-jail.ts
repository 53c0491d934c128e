import { type BigIntStats, realpathSync, statfsSync } from "node:fs";
import { resolve } from "node:path";
import { HeldDirectory } from "./held-directory.js";
import { KnownContents } from "./known-contents.js";
import { parsePath } from "./parse-path.js";
import { invalidPath } from "./path-error.js";
import { asToolError } from "./system-error.js";
import { type Place, WalkInside, type WalkInsideOptions } from "./walk-inside.js";

/**
 * The one way from a path to a file. A path is walked from the root, name by name, holding each
 * directory on the way; links are followed by hand and only as far as they stay inside. What a
 * caller gets is a held directory and a name in it, so nothing is ever looked up by path again.
 */
export class PathJail {
  /** Absolute, links resolved. */
  readonly root: string;
  /** The spellings of the root that absolute paths may start with. */
  readonly rootSpellings: readonly string[];
  /** The root, held for as long as the jail stands. */
  readonly directory: HeldDirectory;
  /** What was found out about files in here. */
  readonly contents = new KnownContents();
  readonly #device: bigint;

  constructor(root: string, options: { readonly portable?: boolean | undefined } = {}) {
    const given = resolve(root);
    try {
      this.root = realpathSync(given);
      this.rootSpellings = given === this.root ? [given] : [this.root, given];
      this.directory = HeldDirectory.open(this.root, options);
      this.#device = this.directory.stat().dev;
    } catch (thrown) {
      throw asToolError(thrown, root);
    }
  }

  /** The workspace path that a text names; the disk is not asked. */
  parse(given: string): string {
    return parsePath(given, this.rootSpellings);
  }

  /** Walks to a workspace path and hands out the place; everything held is let go when `use` is done. */
  async visit<T>(path: string, options: VisitOptions, use: (place: Place) => Promise<T> | T): Promise<T> {
    const place = this.walk(path, options);
    try {
      return await use(place);
    } catch (thrown) {
      throw asToolError(thrown, options.given ?? path);
    } finally {
      place.close();
    }
  }

  /** The same for whoever closes the place himself. */
  walk(path: string, options: VisitOptions): Place {
    const given = options.given ?? path;
    const walk = new WalkInside(this.directory, this.rootSpellings, { ...options, given });
    try {
      const place = walk.to(path);
      this.#assertStillInside(place.directory, given);
      return place;
    } catch (thrown) {
      walk.letGo();
      throw asToolError(thrown, given);
    }
  }

  /** A second look after the walk: is what was opened where it should be, and on a disk? */
  assertOrdinary(stats: BigIntStats, opened: { readonly path: string; readonly given: string }): void {
    if (stats.dev === this.#device) return;
    const { type } = statfsSync(opened.path);
    if (KERNEL_FILE_SYSTEMS.has(type)) throw invalidPath(opened.given, "is not on a disk");
  }

  /** Whether an absolute path, as the system reports it, is inside the root as it is called now. */
  encloses(location: string): boolean {
    const root = this.directory.location();
    return location === root || location.startsWith(root === "/" ? root : `${root}/`);
  }

  close(): void {
    this.directory.close();
  }

  #assertStillInside(directory: HeldDirectory, given: string): void {
    if (directory === this.directory || this.encloses(directory.location())) return;
    throw invalidPath(given, "leads out of the workspace");
  }
}

export type VisitOptions = Omit<WalkInsideOptions, "given"> & {
  /** How the caller spelled the path: what errors speak of. */
  readonly given?: string | undefined;
};

// proc and sysfs: a bind mount of them inside a workspace would hand out the system's state.
const KERNEL_FILE_SYSTEMS: ReadonlySet<number> = new Set([0x9fa0, 0x62656572]);

import { type BigIntStats, realpathSync, statfsSync } from "node:fs";
import { resolve } from "node:path";
import { invalidPath, parsePath } from "@haft/core/workspace";
import { isBelow } from "../fs/is-below.js";
import { HeldDirectory } from "./held-directory.js";
import { KnownContents } from "./known-contents.js";
import { asToolError } from "./system-error.js";
import { type Place, WalkInside, type WalkInsideOptions } from "./walk-inside.js";
import { windowsPathProblem } from "./windows-name.js";

/**
 * The only way from a path to a file. It resolves a path from the root, name by name, and holds each directory open
 * on the way. It follows links itself, and only inside the root. Callers get a held directory and a name in it, so
 * nothing is looked up by path again.
 */
export class PathJail {
  /** Absolute, links resolved. */
  readonly root: string;
  /** The spellings of the root that an absolute path may start with. */
  readonly rootSpellings: readonly string[];
  /** The root, held for the lifetime of the jail. */
  readonly directory: HeldDirectory;
  /** Cached file contents. */
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

  /** Returns the workspace path that a text names, without touching the disk. */
  parse(given: string): string {
    const path = parsePath(given, this.rootSpellings);
    const problem = process.platform === "win32" ? windowsPathProblem(path) : undefined;
    if (problem !== undefined) throw invalidPath(given, problem);
    return path;
  }

  /** Resolves a workspace path and passes the place to `use`; releases everything held afterwards. */
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

  /** Resolves a workspace path. The caller closes the place. */
  walk(path: string, options: VisitOptions): Place {
    const given = options.given ?? path;
    const walk = new WalkInside(this.directory, this.rootSpellings, { ...options, given });
    try {
      const place = walk.to(path);
      this.#assertStillInside(place.directory, given);
      return place;
    } catch (thrown) {
      walk.release();
      throw asToolError(thrown, given);
    }
  }

  /** Checks after the walk that the opened file is inside the root and on a real disk. */
  assertOrdinary(stats: BigIntStats, opened: { readonly path: string; readonly given: string }): void {
    if (stats.dev === this.#device) return;
    const { type } = statfsSync(opened.path);
    if (KERNEL_FILE_SYSTEMS.has(type)) throw invalidPath(opened.given, "is not on a disk");
  }

  /** Returns whether an absolute path, as the system reports it, is inside the root at its current location. */
  encloses(location: string): boolean {
    const root = this.directory.location();
    if (location === root || location.startsWith(root === "/" ? root : `${root}/`)) return true;
    // Windows writes "\\" between names, and a drive letter in either case.
    return process.platform === "win32" && isBelow(root, location);
  }

  close(): void {
    this.directory.close();
  }

  #assertStillInside(directory: HeldDirectory, given: string): void {
    if (directory === this.directory || this.encloses(directory.location())) return;
    throw invalidPath(given, "leads out of the workspace");
  }
}

type VisitOptions = Omit<WalkInsideOptions, "given"> & {
  /** The path as the caller spelled it, for errors. */
  readonly given?: string | undefined;
};

// proc and sysfs: bind-mounted inside a workspace, they would expose the system's state.
const KERNEL_FILE_SYSTEMS: ReadonlySet<number> = new Set([0x9fa0, 0x62656572]);

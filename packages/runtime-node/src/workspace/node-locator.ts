import type { FileEntry } from "@haft/core";
import {
  baseName,
  invalidPath,
  type LocalFolder,
  type LocateOptions,
  type Location,
  parentPath,
  type Snapshot,
  type WorkspaceAnchor,
} from "@haft/core/workspace";
import { contentDigest, contentHash, shortHash } from "./content-hash.js";
import { entryOf, statOf } from "./entry-of.js";
import { orAbsent } from "./entry-place.js";
import { localFolder } from "./local-folder.js";
import { type Gatekeepers, openPlace } from "./open-inside.js";
import { digestOfParts } from "./started-hash.js";
import { takeSnapshot } from "./take-snapshot.js";
import type { Place } from "./walk-inside.js";

export interface ReaderLimits {
  /** The largest file whose bytes a snapshot keeps. */
  readonly maxHeldBytes: number;
  /** A walk over more entries ends with LIMIT_EXCEEDED. */
  readonly maxWalkEntries: number;
}

/** Resolves paths in a real folder and reports what exists there. */
export class NodeLocator implements WorkspaceAnchor {
  readonly root: string;
  readonly local: LocalFolder;
  protected readonly keepers: Gatekeepers;
  protected readonly limits: ReaderLimits;

  constructor(keepers: Gatekeepers, limits: ReaderLimits) {
    this.keepers = keepers;
    this.limits = limits;
    this.root = keepers.jail.root;
    this.local = localFolder(this.root, keepers.guard);
  }

  absolute(path: string): string {
    const relative = this.keepers.jail.parse(path);
    if (relative === "") return this.root;
    return this.root === "/" ? `/${relative}` : `${this.root}/${relative}`;
  }

  vet(path: string, options: LocateOptions = {}): Location {
    return this.keepers.guard.judge(this.keepers.jail.parse(path), path, options.purpose);
  }

  async locate(path: string, options: LocateOptions = {}): Promise<Location> {
    const { path: lexical } = this.vet(path, options);
    const place = this.keepers.jail.walk(lexical, { given: path, follow: options.follow });
    place.close();
    // Creating the target of a dangling link would write where the caller did not look.
    if (place.isDangling && options.purpose === "write")
      throw invalidPath(path, "goes through a link to something that does not exist");
    return this.keepers.guard.judge(place.path, path, options.purpose);
  }

  hash(bytes: Uint8Array): string {
    return contentHash(bytes);
  }

  hashParts(parts: readonly Uint8Array[]): string {
    return shortHash(digestOfParts(parts));
  }

  digest(bytes: Uint8Array): string {
    return contentDigest(bytes);
  }

  async entry(path: string): Promise<FileEntry | undefined> {
    return this.#atEntry(path, (place) => {
      if (place.rest.length === 0)
        return { ...statOf(place.path, place.directory.stat()), name: baseName(place.path) };
      const [name = ""] = place.rest;
      if (place.rest.length > 1) return undefined;
      return entryOf(this.keepers, { parent: parentPath(place.path), directory: place.directory, name });
    });
  }

  async snapshot(path: string): Promise<Snapshot | undefined> {
    const { maxHeldBytes } = this.limits;
    const { contents } = this.keepers.jail;
    return this.#atEntry(path, (place) =>
      takeSnapshot(place, { maxHeldBytes, contents, open: (at) => openPlace(this.keepers, at, path) }),
    );
  }

  /** Closes the root. The locator cannot be used afterwards. */
  close(): void {
    this.keepers.jail.close();
  }

  /** Visits a located path. Its links were resolved, so a link that appears there is not followed. */
  async #atEntry<T>(path: string, use: (place: Place) => Promise<T> | T): Promise<T | undefined> {
    const located = this.vet(path).path;
    return orAbsent(
      this.keepers.jail.visit(located, { follow: "entry" }, (place) => {
        this.keepers.guard.judge(place.path, path);
        return use(place);
      }),
    );
  }
}

import {
  type ByteRange,
  baseName,
  type FileEntry,
  type FileStat,
  type LocalFolder,
  type LocateOptions,
  type Location,
  parentPath,
  type Snapshot,
  type TextFile,
  type WalkOptions,
  type WorkspaceAnchor,
  type WorkspaceReader,
} from "@haft/core";
import { decodeText } from "@haft/text";
import { contentDigest, contentHash } from "./content-hash.js";
import { sortedNames } from "./entry-name.js";
import { entryOf, statOf } from "./entry-of.js";
import { assertDirectory, orAbsent } from "./entry-place.js";
import { fileNotFound } from "./not-found.js";
import type { OpenFile } from "./open-file.js";
import { type Gatekeepers, openInside, openPlace } from "./open-inside.js";
import { invalidPath } from "./path-error.js";
import { binaryFile, readWhole, withinLimit } from "./read-whole.js";
import { asToolError } from "./system-error.js";
import { hashOfFile, readContent, takeSnapshot } from "./take-snapshot.js";
import { walkEntries } from "./walk-entries.js";
import type { Place } from "./walk-inside.js";

export interface ReaderLimits {
  /** A file's bytes are kept in a snapshot up to this size. */
  readonly maxHeldBytes: number;
  /** A walk that meets more entries ends with LIMIT_EXCEEDED. */
  readonly maxWalkEntries: number;
}

/** The reading half of a workspace on a real folder. */
export class NodeReader implements WorkspaceAnchor, WorkspaceReader {
  readonly root: string;
  readonly local: LocalFolder;
  protected readonly keepers: Gatekeepers;
  protected readonly limits: ReaderLimits;

  constructor(keepers: Gatekeepers, limits: ReaderLimits) {
    this.keepers = keepers;
    this.limits = limits;
    this.root = keepers.jail.root;
    const { guard } = keepers;
    this.local = Object.freeze({
      root: this.root,
      mayOpen: (path: string) => guard.mayOpen(path),
      guardModule: {
        url: new URL("./thread-guard.js", import.meta.url).href,
        exportName: "makeThreadGuard",
        data: guard.rules,
      },
    });
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
    // Making the target of a dangling link would write where the caller did not look.
    if (place.isDangling && options.purpose === "write")
      throw invalidPath(path, "goes through a link to something that does not exist");
    return this.keepers.guard.judge(place.path, path, options.purpose);
  }

  async readText(path: string): Promise<string> {
    return (await this.readTextFile(path)).text;
  }

  async readTextFile(path: string): Promise<TextFile> {
    return this.#withFile(path, async (file) => {
      withinLimit({}, file, path);
      const { bytes, hash } = await readContent(file, this.keepers.jail.contents);
      const decoded = decodeText(bytes);
      if (decoded === undefined) throw binaryFile(path, bytes);
      return { ...statOf(file.path, file.stats), ...decoded, hash };
    });
  }

  async readBytes(path: string, range?: ByteRange): Promise<Uint8Array> {
    return this.#withFile(path, (file) =>
      range === undefined ? readWhole(file, path) : file.read(withinLimit(range, file, path)),
    );
  }

  async *stream(path: string, range: ByteRange = {}): AsyncGenerator<Uint8Array> {
    const file = openInside(this.keepers, path);
    try {
      yield* file.chunks(range);
    } catch (thrown) {
      throw asToolError(thrown, path);
    } finally {
      file.close();
    }
  }

  async stat(path: string): Promise<FileStat> {
    this.vet(path);
    return this.#visit(path, (place) => {
      this.keepers.guard.judge(place.path, path);
      if (place.rest.length === 0) return statOf(place.path, place.directory.stat());
      if (place.stats === undefined) throw fileNotFound({ given: path, place, guard: this.keepers.guard });
      return statOf(place.path, place.stats);
    });
  }

  async exists(path: string): Promise<boolean> {
    const { path: lexical } = this.vet(path);
    const isThere = await orAbsent(
      this.keepers.jail.visit(lexical, { given: path }, (place) => {
        this.keepers.guard.judge(place.path, path);
        return place.rest.length === 0 || place.stats !== undefined;
      }),
    );
    return isThere ?? false;
  }

  /** The names of sensitive files are shown; what is in them is not. */
  async list(path: string): Promise<readonly FileEntry[]> {
    return this.#visit(path, (place) => {
      assertDirectory(this.keepers, place, path);
      const at = { parent: place.path, directory: place.directory };
      return sortedNames(place.directory).flatMap((name) => entryOf(this.keepers, { ...at, name }) ?? []);
    });
  }

  async *walk(path: string, options: WalkOptions = {}): AsyncGenerator<FileEntry> {
    const place = this.keepers.jail.walk(this.keepers.jail.parse(path), { given: path });
    try {
      assertDirectory(this.keepers, place, path);
      yield* walkEntries(this.keepers, place, { ...options, maxEntries: this.limits.maxWalkEntries });
    } catch (thrown) {
      throw asToolError(thrown, path);
    } finally {
      place.close();
    }
  }

  async hashOf(path: string): Promise<string> {
    return this.#withFile(path, (file) => hashOfFile(file, this.keepers.jail.contents));
  }

  hash(bytes: Uint8Array): string {
    return contentHash(bytes);
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

  /** Lets go of the root. Nothing works afterwards. */
  close(): void {
    this.keepers.jail.close();
  }

  /** A located path: links on the way were resolved, so one that appears there is followed no further. */
  async #atEntry<T>(path: string, use: (place: Place) => Promise<T> | T): Promise<T | undefined> {
    const located = this.vet(path).path;
    return orAbsent(
      this.keepers.jail.visit(located, { follow: "entry" }, (place) => {
        this.keepers.guard.judge(place.path, path);
        return use(place);
      }),
    );
  }

  async #visit<T>(path: string, use: (place: Place) => Promise<T> | T): Promise<T> {
    return this.keepers.jail.visit(this.keepers.jail.parse(path), { given: path }, use);
  }

  async #withFile<T>(path: string, use: (file: OpenFile) => Promise<T>): Promise<T> {
    const file = openInside(this.keepers, path);
    try {
      return await use(file);
    } catch (thrown) {
      throw asToolError(thrown, path);
    } finally {
      file.close();
    }
  }
}

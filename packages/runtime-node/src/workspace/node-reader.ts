import type { FileEntry, FileStat, TextFile, WorkspaceReader } from "@haft/core";
import {
  type ByteRange,
  binaryFile,
  type StoredTextPart,
  type StreamRange,
  type WalkOptions,
} from "@haft/core/workspace";
import { findTextPart, type TextPlace } from "@haft/text";
import { decodeWhole, MARK_BYTES, utf8FormatOf, viewOf } from "./decode-whole.js";
import { sortedNames } from "./entry-name.js";
import { entryOf, statOf } from "./entry-of.js";
import { assertDirectory, orAbsent } from "./entry-place.js";
import { NodeLocator } from "./node-locator.js";
import { missingFile } from "./not-found.js";
import type { OpenFile } from "./open-file.js";
import { openInside } from "./open-inside.js";
import { readWhole, withinLimit } from "./read-whole.js";
import { asToolError } from "./system-error.js";
import { hashOfFile, readContent } from "./take-snapshot.js";
import { walkEntries } from "./walk-entries.js";
import type { Place } from "./walk-inside.js";

/** The reading half of a workspace on a real folder. */
export class NodeReader extends NodeLocator implements WorkspaceReader {
  async readText(path: string): Promise<string> {
    return (await this.readTextFile(path)).text;
  }

  async readTextFile(path: string): Promise<TextFile> {
    return this.#withFile(path, async (file) => {
      withinLimit({}, file, path);
      const { bytes, hash } = await readContent(file, this.keepers.jail.contents);
      const decoded = await decodeWhole(bytes);
      if (decoded === undefined) throw binaryFile(path, bytes);
      return { ...statOf(file.path, file.stats), ...decoded, hash };
    });
  }

  /** Returns undefined for a file that is short, or too long for a rehearsal: the whole file is as good. */
  async textPart(path: string, place: TextPlace): Promise<StoredTextPart | undefined> {
    return this.#withFile(path, async (file) => {
      if (file.size < MIN_PARTED_BYTES || file.size > this.limits.maxHeldBytes) return undefined;
      const { bytes, hash } = await readContent(file, this.keepers.jail.contents);
      const format = utf8FormatOf(bytes);
      if (format === undefined) return undefined;
      const view = viewOf(bytes);
      const indexOf = (wanted: Uint8Array, from: number, to: number) => {
        const at = view.subarray(from, to).indexOf(wanted);
        return at === -1 ? -1 : from + at;
      };
      const part = findTextPart({ bytes, body: format.bom ? MARK_BYTES : 0, indexOf }, place);
      return part && { ...statOf(file.path, file.stats), ...part, format, hash, bytes };
    });
  }

  async readBytes(path: string, range?: ByteRange): Promise<Uint8Array> {
    return this.#withFile(path, (file) =>
      range === undefined ? readWhole(file, path) : file.read(withinLimit(range, file, path)),
    );
  }

  async *stream(path: string, range: StreamRange = {}): AsyncGenerator<Uint8Array> {
    const file = openInside(this.keepers, path);
    try {
      yield* range.passing === true ? file.passingChunks(range) : file.chunks(range);
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
      if (place.stats === undefined) throw missingFile({ given: path, place, guard: this.keepers.guard });
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

  /** Lists the names of sensitive files but never their content. */
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

const MIN_PARTED_BYTES = 128 * 1024;

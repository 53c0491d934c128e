import {
  type DecodedText,
  detectEncoding,
  lineAt,
  type Splice,
  spliceText,
  type TextFormat,
} from "@haft/text";
import { ToolError } from "../error/tool-error.js";
import { decodedText, rememberEncoded } from "./decoded-texts.js";
import { encodeFor, UTF_8 } from "./encode-for.js";
import type { FileState, KeptState, Snapshot } from "./file-change.js";
import { flag, OverlayRecorder } from "./overlay-recorder.js";
import { linkDestination } from "./path-text.js";
import {
  diffOfContent,
  inWhole,
  type SplicedContent,
  spliceContent,
  wholeStretch,
} from "./spliced-content.js";
import { joinParts, SplicedFile } from "./spliced-file.js";
import type {
  SplicedPlace,
  TextFile,
  WorkspaceCreator,
  WorkspaceWriter,
  WriteOptions,
  WriteTextOptions,
} from "./workspace.js";
import type { Location } from "./workspace-store.js";

/** The writing half of an overlay: what is made and changed stays in memory. */
export class OverlayWriter extends OverlayRecorder implements WorkspaceWriter, WorkspaceCreator {
  async writeText(path: string, text: string, options: WriteTextOptions = {}): Promise<void> {
    const place = await this.place(path);
    const before = await this.#writable(place.path);
    const format = options.format ?? (await this.#formatOf(place.path, before));
    const bytes = encodeFor(text, format);
    rememberEncoded(bytes, { text, format: format ?? UTF_8 });
    await this.#put(place, bytes, { ...options, before });
  }

  async spliceText(
    path: string,
    read: Pick<TextFile, "text" | "format">,
    splices: readonly Splice[],
  ): Promise<SplicedPlace> {
    const place = await this.place(path);
    const before = await this.#writable(place.path);
    const content = this.#splicedContent(before, read, splices);
    if (content === undefined) return this.#spliceWhole(path, read, splices);
    await this.#put(place, content, { before });
    return { startLine: content.startLine, diff: (shown) => diffOfContent(content, { path: shown }) };
  }

  #splicedContent(
    before: Snapshot | undefined,
    read: DecodedText,
    splices: readonly Splice[],
  ): SplicedContent | undefined {
    if (before?.bytes === undefined) return undefined;
    const part = this.parts.stored(read);
    if (part !== undefined && part.hash !== before.hash) return undefined;
    const stretch = part ?? wholeStretch(before.bytes, read);
    return stretch && spliceContent(before.bytes, stretch, splices);
  }

  async #spliceWhole(path: string, read: DecodedText, splices: readonly Splice[]): Promise<SplicedPlace> {
    const part = this.parts.stored(read);
    const whole = part === undefined ? { before: read.text, splices } : inWhole(part.bytes, part, splices);
    await this.writeText(path, spliceText(whole.before, whole.splices), { format: read.format });
    const startLine = lineAt(whole.before, whole.splices[0]?.start ?? 0);
    const content = { text: whole.before, splices: whole.splices, startLine };
    return { startLine, diff: (shown) => diffOfContent(content, { path: shown }) };
  }

  async writeBytes(path: string, bytes: Uint8Array, options: WriteOptions = {}): Promise<void> {
    const place = await this.place(path);
    await this.#put(place, Uint8Array.from(bytes), {
      ...options,
      before: await this.#writable(place.path),
    });
  }

  async createText(path: string, text: string, options: WriteTextOptions = {}): Promise<void> {
    await this.createBytes(path, encodeFor(text, options.format), options);
  }

  async createBytes(path: string, bytes: Uint8Array, options: WriteOptions = {}): Promise<void> {
    const place = await this.place(path);
    await this.assertFree(place.path);
    await this.#put(place, Uint8Array.from(bytes), { ...options, before: undefined });
  }

  async createDirectory(path: string): Promise<void> {
    const place = await this.place(path);
    if (place.path === "" || (await this.tree.entry(place.path))?.type === "directory") return;
    await this.assertFree(place.path);
    await this.makeParents(place.path, true);
    this.record({ kind: "create", path: place.path, after: { type: "directory" }, ...flag(place) });
  }

  async createLink(path: string, target: string): Promise<void> {
    const place = await this.place(path, "entry");
    await this.assertFree(place.path);
    const destination = linkDestination(place.path, target);
    if (destination === undefined)
      throw new ToolError("INVALID_PATH", `Access denied: ${target} is outside the workspace`);
    await this.tree.locate(destination, { purpose: "write" });
    await this.makeParents(place.path, true);
    this.record({ kind: "create", path: place.path, after: { type: "symlink", target }, ...flag(place) });
  }

  /** Gives back what the store put away earlier, in the place of a file or where nothing is. Not for tools. */
  async putBack(path: string, kept: Omit<KeptState, "type">): Promise<void> {
    const place = await this.place(path, "entry");
    const after = { type: "kept", ...kept } as const;
    const standing = await this.tree.entry(place.path);
    if (standing?.type === "file" && kept.was.type === "file") {
      const before = (await this.#writable(place.path)) as Snapshot;
      this.record({ kind: "modify", path: place.path, before, after, ...flag(place) });
      return;
    }
    await this.assertFree(place.path);
    await this.makeParents(place.path, true);
    this.record({ kind: "create", path: place.path, after, ...flag(place) });
  }

  async #put(
    place: Location,
    content: Uint8Array | SplicedContent,
    options: WriteOptions & { readonly before: Snapshot | undefined },
  ): Promise<void> {
    const { before } = options;
    const mode = options.mode ?? this.#modeOf(place.path, before);
    const after = this.#stateOf(content, mode === undefined ? {} : { mode });
    if (before === undefined) {
      await this.makeParents(place.path, options.createDirs ?? true);
      this.record({ kind: "create", path: place.path, after, ...flag(place) });
    } else if (before.hash !== after.hash || (mode !== undefined && before.mode !== mode)) {
      this.record({ kind: "modify", path: place.path, before, after, ...flag(place) });
    }
  }

  #stateOf(content: Uint8Array | SplicedContent, mode: { readonly mode?: number }): FileState {
    if (!("parts" in content))
      return { type: "file", bytes: content, hash: this.store.hash(content), ...mode };
    const { parts } = content;
    const hash = this.store.hashParts?.(parts) ?? this.store.hash(joinParts(parts));
    return new SplicedFile(content, { hash, ...mode });
  }

  /** What a write replaces. Asked of the entry first: a directory must not be read to be refused. */
  async #writable(path: string): Promise<Snapshot | undefined> {
    const type = path === "" ? "directory" : (await this.tree.entry(path))?.type;
    if (type === undefined || type === "file")
      return this.asSeen(path, type && this.withText(path, await this.tree.snapshot(path)));
    if (type === "directory") throw new ToolError("IS_DIRECTORY", `${path || "."} is a directory`);
    throw new ToolError("NOT_A_FILE", `${path} is not a regular file`);
  }

  /** A file made in this rehearsal gets the mode that new files get, unless it was given one. */
  #modeOf(path: string, before: Snapshot | undefined): number | undefined {
    const held = this.tree.held(path);
    return held?.kind === "file" ? held.state.mode : before?.mode;
  }

  /** None for a binary file: replacing it by text is a choice about the whole file, there is nothing to keep. */
  async #formatOf(path: string, before: Snapshot | undefined): Promise<TextFormat | undefined> {
    if (before?.type !== "file") return undefined;
    if (before.bytes !== undefined) return decodedText(before.bytes)?.format;
    // Too large to be held: how it starts says how it is written.
    return detectEncoding(await this.readBytes(path, { end: SAMPLE_BYTES }), { partial: true });
  }
}

const SAMPLE_BYTES = 64 * 1024;

import { type DecodedText, lineAt, type Splice, spliceText } from "@haft/text";
import { ToolError } from "../error/tool-error.js";
import { declaredFormat } from "./declared-text.js";
import { isPlainAscii, rememberEncoded } from "./decoded-texts.js";
import { encodeAscii, encodeFor, UTF_8 } from "./encode-for.js";
import { directoryWithMode, type KeptState, type Snapshot } from "./file-change.js";
import { formatToWrite } from "./format-to-write.js";
import { OverlayFiles } from "./overlay-files.js";
import type { OverlayReader } from "./overlay-reader.js";
import { flag, type OverlayRecorder } from "./overlay-recorder.js";
import { invalidPath, isLinkLoop } from "./path-errors.js";
import { linkDestination } from "./path-text.js";
import {
  diffOfContent,
  inWhole,
  type SplicedContent,
  spliceContent,
  wholeStretch,
} from "./spliced-content.js";
import type {
  SplicedPlace,
  TextFile,
  WorkspaceCreator,
  WorkspaceWriter,
  WriteOptions,
  WriteTextOptions,
} from "./workspace.js";

/** Creates and changes files in memory. */
export class OverlayWriter implements WorkspaceWriter, WorkspaceCreator {
  readonly #reader: OverlayReader;
  readonly #recorder: OverlayRecorder;
  readonly #files: OverlayFiles;

  constructor(reader: OverlayReader, recorder: OverlayRecorder) {
    this.#reader = reader;
    this.#recorder = recorder;
    this.#files = new OverlayFiles(reader, recorder);
  }

  async writeText(path: string, text: string, options: WriteTextOptions = {}): Promise<void> {
    const place = await this.#recorder.place(path);
    const before = await this.#files.writable(place.path);
    const ascii = options.format === undefined && isPlainAscii(before?.bytes) ? encodeAscii(text) : undefined;
    const format = ascii
      ? UTF_8
      : (options.format ?? (await formatToWrite(this.#reader, { path: place.path, text, before })));
    const bytes = ascii ?? (await encodeFor(text, format));
    rememberEncoded(bytes, { text, format: format ?? UTF_8 });
    await this.#files.put(place, bytes, { ...options, before });
  }

  async spliceText(
    path: string,
    read: Pick<TextFile, "text" | "format">,
    splices: readonly Splice[],
  ): Promise<SplicedPlace> {
    const place = await this.#recorder.place(path);
    const before = await this.#files.writable(place.path);
    const content = this.#splicedContent(before, read, splices);
    if (content === undefined) return this.#spliceWhole(path, read, splices);
    await this.#files.put(place, content, { before });
    return { startLine: content.startLine, diff: (shown) => diffOfContent(content, { path: shown }) };
  }

  #splicedContent(
    before: Snapshot | undefined,
    read: DecodedText,
    splices: readonly Splice[],
  ): SplicedContent | undefined {
    if (before?.bytes === undefined) return undefined;
    const part = this.#reader.parts.stored(read);
    if (part !== undefined && part.hash !== before.hash) return undefined;
    const stretch = part ?? wholeStretch(before.bytes, read);
    return stretch && spliceContent(before.bytes, stretch, splices);
  }

  async #spliceWhole(path: string, read: DecodedText, splices: readonly Splice[]): Promise<SplicedPlace> {
    const part = this.#reader.parts.stored(read);
    const whole = part === undefined ? { before: read.text, splices } : inWhole(part.bytes, part, splices);
    await this.writeText(path, spliceText(whole.before, whole.splices), { format: read.format });
    const startLine = lineAt(whole.before, whole.splices[0]?.start ?? 0);
    const content = { text: whole.before, splices: whole.splices, startLine };
    return { startLine, diff: (shown) => diffOfContent(content, { path: shown }) };
  }

  async writeBytes(path: string, bytes: Uint8Array, options: WriteOptions = {}): Promise<void> {
    const place = await this.#recorder.place(path);
    await this.#files.put(place, Uint8Array.from(bytes), {
      ...options,
      before: await this.#files.writable(place.path),
    });
  }

  async setDirectoryMode(path: string, mode: number): Promise<void> {
    const place = await this.#recorder.place(path);
    const standing = place.path === "" ? undefined : await this.#reader.tree.entry(place.path);
    if (standing?.type !== "directory")
      throw new ToolError("NOT_A_DIRECTORY", `${place.path || "."} is not a directory below the root`);
    if (standing.mode === mode) return;
    const before = this.#directoryState(place.path, standing.mode);
    const after = { type: "directory", mode } as const;
    this.#recorder.record({ kind: "modify", path: place.path, before, after, ...flag(place) });
  }

  async createText(path: string, text: string, options: WriteTextOptions = {}): Promise<void> {
    const format =
      options.format ??
      (await declaredFormat((await this.#recorder.place(path)).path, text, this.#reader.store));
    const bytes = await encodeFor(text, format);
    rememberEncoded(bytes, { text, format: format ?? UTF_8 });
    await this.#create(path, bytes, options);
  }

  async createBytes(path: string, bytes: Uint8Array, options: WriteOptions = {}): Promise<void> {
    await this.#create(path, Uint8Array.from(bytes), options);
  }

  async #create(path: string, bytes: Uint8Array, options: WriteOptions): Promise<void> {
    const place = await this.#recorder.place(path);
    await this.#recorder.assertFree(place.path);
    await this.#files.put(place, bytes, { ...options, before: undefined });
  }

  async createDirectory(path: string, { mode }: { readonly mode?: number } = {}): Promise<void> {
    const place = await this.#recorder.place(path);
    if (place.path === "" || (await this.#reader.tree.entry(place.path))?.type === "directory") return;
    await this.#recorder.assertFree(place.path);
    await this.#recorder.makeParents(place.path, true);
    const after = { type: "directory", ...(mode !== undefined && { mode }) } as const;
    this.#recorder.record({ kind: "create", path: place.path, after, ...flag(place) });
  }

  async createLink(path: string, target: string): Promise<void> {
    const place = await this.#recorder.place(path, "entry");
    await this.#recorder.assertFree(place.path);
    const destination = linkDestination(place.path, target);
    if (destination === undefined) throw invalidPath(target, "is outside the workspace");
    await this.#assertMayLead(destination);
    await this.#recorder.makeParents(place.path, true);
    this.#recorder.record({
      kind: "create",
      path: place.path,
      after: { type: "symlink", target },
      ...flag(place),
    });
  }

  /** A link writes nothing, so it may lead nowhere: to a dangling link, into a circle of links, or below a file. */
  async #assertMayLead(destination: string): Promise<void> {
    const { tree, store } = this.#reader;
    try {
      store.vet((await tree.locate(destination)).path, { purpose: "write" });
    } catch (error) {
      if (!isLinkLoop(error) && !(ToolError.is(error) && error.code === "NOT_A_DIRECTORY")) throw error;
    }
  }

  /** Restores an entry that the store kept, over a file or at a free path. Not for tools. */
  async putBack(path: string, kept: Omit<KeptState, "type">): Promise<void> {
    const place = await this.#recorder.place(path, "entry");
    const after = { type: "kept", ...kept } as const;
    const standing = await this.#reader.tree.entry(place.path);
    if (standing?.type === "file" && kept.was.type === "file") {
      const before = (await this.#files.writable(place.path)) as Snapshot;
      this.#recorder.record({ kind: "modify", path: place.path, before, after, ...flag(place) });
      return;
    }
    await this.#recorder.assertFree(place.path);
    await this.#recorder.makeParents(place.path, true);
    this.#recorder.record({ kind: "create", path: place.path, after, ...flag(place) });
  }

  /** The store decides the permissions of a directory that this rehearsal creates without giving any. */
  #directoryState(path: string, mode: number): Snapshot {
    const held = this.#reader.tree.held(path);
    const isOpen = held?.kind === "directory" && held.mode === undefined;
    return isOpen ? { ...directoryWithMode(mode), hash: "" } : directoryWithMode(mode);
  }
}

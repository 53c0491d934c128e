import { ToolError } from "../error/tool-error.js";
import type { FileState, Snapshot } from "./file-change.js";
import type { OverlayReader } from "./overlay-reader.js";
import { flag, type OverlayRecorder } from "./overlay-recorder.js";
import { sharedStart } from "./shared-start.js";
import type { SplicedContent } from "./spliced-content.js";
import { joinParts, SplicedFile } from "./spliced-file.js";
import type { WriteOptions } from "./workspace.js";
import type { Location } from "./workspace-store.js";

/** Records the content and mode that files get. */
export class OverlayFiles {
  readonly #reader: OverlayReader;
  readonly #recorder: OverlayRecorder;

  constructor(reader: OverlayReader, recorder: OverlayRecorder) {
    this.#reader = reader;
    this.#recorder = recorder;
  }

  /** Records a file with this content: created, or modified if it differs from the one before. */
  async put(
    place: Location,
    content: Uint8Array | SplicedContent,
    options: WriteOptions & { readonly before: Snapshot | undefined },
  ): Promise<void> {
    const { before, modifiedMs } = options;
    const mode = options.mode ?? this.#modeOf(place.path, before);
    const attributes = {
      ...(mode !== undefined && { mode }),
      ...(modifiedMs !== undefined && { modifiedMs }),
    };
    const after = await this.#stateOf(content, before, attributes);
    if (before === undefined) {
      await this.#recorder.makeParents(place.path, options.createDirs ?? true);
      this.#recorder.record({ kind: "create", path: place.path, after, ...flag(place) });
    } else if (before.hash !== after.hash || (mode !== undefined && before.mode !== mode)) {
      this.#recorder.record({ kind: "modify", path: place.path, before, after, ...flag(place) });
    }
  }

  async #stateOf(
    content: Uint8Array | SplicedContent,
    before: Snapshot | undefined,
    attributes: FileAttributes,
  ): Promise<FileState> {
    const { store } = this.#reader;
    if (!("parts" in content))
      return {
        type: "file",
        bytes: content,
        hash: await this.#hashOf(content, before?.bytes),
        ...attributes,
      };
    const { parts } = content;
    const hash = await (store.hashParts?.(parts) ?? store.hash(joinParts(parts)));
    return new SplicedFile(content, { hash, ...attributes });
  }

  // The store can continue the hash of the former content from where both differ.
  #hashOf(bytes: Uint8Array, former: Uint8Array | undefined): string | Promise<string> {
    const { store } = this.#reader;
    const shared = former && store.hashParts ? sharedStart(former, bytes) : 0;
    const parts = shared < WORTH_SHARING ? undefined : [former?.subarray(0, shared), bytes.subarray(shared)];
    return (parts && store.hashParts?.(parts as readonly Uint8Array[])) ?? store.hash(bytes);
  }

  /**
   * Returns the state that a write replaces. Checks the entry first, so that a directory is rejected without being
   * read.
   */
  async writable(path: string): Promise<Snapshot | undefined> {
    const type = path === "" ? "directory" : (await this.#reader.tree.entry(path))?.type;
    if (type === undefined || type === "file")
      return this.#reader.asSeen(
        path,
        type && this.#reader.withText(path, await this.#reader.tree.snapshot(path)),
      );
    if (type === "directory") throw new ToolError("IS_DIRECTORY", `${path || "."} is a directory`);
    throw new ToolError("NOT_A_FILE", `${path} is not a regular file`);
  }

  /** A file created in this rehearsal gets the default mode for new files, unless one was given. */
  #modeOf(path: string, before: Snapshot | undefined): number | undefined {
    const held = this.#reader.tree.held(path);
    return held?.kind === "file" ? held.state.mode : before?.mode;
  }
}

/** Hashing fewer bytes takes less than a millisecond. */
const WORTH_SHARING = 256 * 1024;

type FileAttributes = Pick<FileState, "mode" | "modifiedMs">;

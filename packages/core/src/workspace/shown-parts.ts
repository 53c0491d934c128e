import type { TextFilePart } from "./workspace.js";
import type { StoredTextPart } from "./workspace-store.js";

/**
 * The text parts that were returned to tools and their position in the file, keyed by object identity, not by content.
 */
export class ShownParts {
  readonly #stored = new WeakMap<object, StoredTextPart>();

  show(path: string, stored: StoredTextPart): TextFilePart {
    const { bytes: _heldHere, start: _start, end: _end, ...part } = stored;
    const shown = Object.freeze({ ...part, path });
    this.#stored.set(shown, stored);
    return shown;
  }

  /** Returns the position of a text part that was returned from here; undefined for a whole text. */
  stored(read: object): StoredTextPart | undefined {
    const stored = this.#stored.get(read);
    if (stored === undefined && "linesAbove" in read)
      throw new TypeError(
        "A part of a text must be spliced as it was read: a copy would count as the whole text",
      );
    return stored;
  }
}

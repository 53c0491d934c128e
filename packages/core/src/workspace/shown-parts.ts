import type { TextFilePart } from "./workspace.js";
import type { StoredTextPart } from "./workspace-store.js";

/** The parts of texts that were handed out, and where each lies in its file: known by the object, never by what it says. */
export class ShownParts {
  readonly #stored = new WeakMap<object, StoredTextPart>();

  show(path: string, stored: StoredTextPart): TextFilePart {
    const { bytes: _heldHere, start: _start, end: _end, ...part } = stored;
    const shown = Object.freeze({ ...part, path });
    this.#stored.set(shown, stored);
    return shown;
  }

  /** Where a text lies in its file, if it is a part that was shown here; undefined for a whole text. */
  stored(read: object): StoredTextPart | undefined {
    const stored = this.#stored.get(read);
    if (stored === undefined && "linesAbove" in read)
      throw new TypeError(
        "A part of a text is spliced as it was read: a copy of it would pass for the whole",
      );
    return stored;
  }
}

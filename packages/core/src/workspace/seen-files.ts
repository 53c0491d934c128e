import { ToolError } from "../error/tool-error.js";
import type { Snapshot } from "./file-change.js";

/**
 * What a rehearsal has read of the store. A change rests on what was read, not on what happens to
 * stand there when it is written: between the two somebody else may have written, and must not lose it.
 */
export class SeenFiles {
  readonly #seen = new Map<string, Seen>();

  /** The first sight counts: whoever reads twice may have used either. */
  note(path: string, seen: Seen): void {
    const known = this.#seen.get(path);
    if (known === undefined || (known === "present" && seen !== "absent")) this.#seen.set(path, seen);
  }

  /** Everything that was there to be read. */
  get paths(): readonly string[] {
    return [...this.#seen].filter(([, seen]) => seen !== "absent").map(([path]) => path);
  }

  /** What a change of a path takes itself to replace; the commit then finds out whether it still does. */
  asSeen(path: string, now: Snapshot | undefined): Snapshot | undefined {
    const seen = this.#seen.get(path);
    if (seen === undefined || (seen === "present" && now !== undefined)) return now;
    if (seen === "absent") return undefined;
    if (now === undefined)
      throw new ToolError("STALE_FILE", `${path} is gone since it was read`, { details: { path } });
    if (now.type !== "file" || now.hash === seen) return now;
    const { bytes: _notWhatWasSeen, ...rest } = now;
    return { ...rest, hash: seen };
  }
}

/** The hash of a content, or only that something, or nothing, was there. */
export type Seen = "absent" | "present" | (string & {});

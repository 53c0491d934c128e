import { ToolError } from "../error/tool-error.js";
import type { Snapshot } from "./file-change.js";

/**
 * What a rehearsal has read from the store. A change is based on the content that was read, not on the content present
 * at write time: a concurrent write in between must not be lost.
 */
export class SeenFiles {
  readonly #seen = new Map<string, Seen>();

  /** Keeps the first observation: a tool that reads twice may have used either. */
  note(path: string, seen: Seen): void {
    const known = this.#seen.get(path);
    if (known === undefined || (known === "present" && seen !== "absent")) this.#seen.set(path, seen);
  }

  /** All paths that existed when they were read. */
  get paths(): readonly string[] {
    return [...this.#seen].filter(([, seen]) => seen !== "absent").map(([path]) => path);
  }

  /** Returns the snapshot that a change of a path expects to replace. The commit checks whether it still matches. */
  asSeen(path: string, now: Snapshot | undefined): Snapshot | undefined {
    const seen = this.#seen.get(path);
    if (seen === undefined || (seen === "present" && now !== undefined)) return now;
    if (seen === "absent") return undefined;
    if (now === undefined)
      throw new ToolError("STALE_FILE", `${path} was deleted after it was read`, { details: { path } });
    if (now.type !== "file" || now.hash === seen) return now;
    const { bytes: _notWhatWasSeen, ...rest } = now;
    return { ...rest, hash: seen };
  }
}

/** A content hash, or only whether the path existed. */
export type Seen = "absent" | "present" | (string & {});

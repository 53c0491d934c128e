import { ToolError } from "../error/tool-error.js";
import type { ShownFile } from "../tool/tool-definition.js";
import type { FileChange } from "../workspace/file-change.js";
import { linesNow } from "../workspace/lines-now.js";
import { isInside } from "../workspace/path-text.js";

/** Records which content of which file this session has seen, so that unseen changes are not overwritten. */
export class ReadLedger {
  readonly #seen: Map<string, string>;

  constructor(seen: Iterable<readonly [string, string]> = []) {
    this.#seen = new Map(seen);
  }

  saw(path: string, hash: string): void {
    this.#seen.set(path, hash);
  }

  /** Returns everything that counts as seen, for continuing a session in another process. */
  files(): readonly ShownFile[] {
    return [...this.#seen].map(([path, hash]) => ({ path, hash }));
  }

  /** The session's own changes count as seen; removed files are forgotten. */
  applied(changes: readonly FileChange[]): void {
    for (const change of changes) {
      if (change.kind === "delete") this.#seen.delete(change.path);
      else if (change.kind === "move") this.#moved(change.from, change.path);
      else if (change.after.type === "file") this.#seen.set(change.path, change.after.hash);
    }
  }

  /** Returns why an overwrite must not happen, or undefined. */
  objection(changes: readonly FileChange[]): ToolError | undefined {
    // Each change is checked against what will have been seen by its turn.
    const ahead = new ReadLedger(this.#seen);
    const deleted = new Map<string, Overwrite>();
    for (const change of changes) {
      const overwrite = change.kind === "create" ? deleted.get(change.path) : ahead.#overwriteBy(change);
      if (change.kind === "delete" && overwrite !== undefined) deleted.set(change.path, overwrite);
      else if (overwrite !== undefined && overwrite.seen === undefined) return notRead(change.path);
      else if (overwrite !== undefined && overwrite.seen !== overwrite.hash) return stale(change, overwrite);
      ahead.applied([change]);
    }
    return undefined;
  }

  /**
   * Returns what a change overwrites. A deletion alone is not an overwrite, but creating a new file in its place is.
   */
  #overwriteBy(change: FileChange): Overwrite | undefined {
    if (change.kind !== "modify" && change.kind !== "delete") return undefined;
    if (change.before.type !== "file") return undefined;
    return { hash: change.before.hash, seen: this.#seen.get(change.path) };
  }

  #moved(from: string, to: string): void {
    const known = [...this.#seen];
    // Removes old entries first: the moved content must not be mistaken for the previous one.
    for (const [path] of known) if (isInside(path, to) || isInside(path, from)) this.#seen.delete(path);
    for (const [path, hash] of known)
      if (isInside(path, from)) this.#seen.set(to + path.slice(from.length), hash);
  }
}

interface Overwrite {
  readonly hash: string;
  /** The content hash last seen there. */
  readonly seen: string | undefined;
}

function notRead(path: string): ToolError {
  return new ToolError("FILE_NOT_READ", `${path} exists and was not read in this session`, {
    hint: "Read it first, so that nothing in it is lost unseen.",
    details: { path },
  });
}

/** A session that has read the file may see the current content at the place of the change. */
function stale(change: FileChange, { seen, hash: now }: Overwrite): ToolError {
  const { path } = change;
  const lines = linesNow(change);
  const shown = lines === undefined || lines === "" ? "" : `. The lines are now:\n${lines}`;
  return new ToolError("STALE_FILE", `${path} has changed since it was read${shown}`, {
    hint: "Read it again, then repeat the change on its current content.",
    details: { path, readHash: seen, currentHash: now },
  });
}

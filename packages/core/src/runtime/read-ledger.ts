import { ToolError } from "../error/tool-error.js";
import type { FileChange } from "../workspace/file-change.js";

/** Which content of which file this session has seen, so that nobody's work is overwritten unread. */
export class ReadLedger {
  readonly #seen = new Map<string, string>();

  saw(path: string, hash: string): void {
    this.#seen.set(path, hash);
  }

  /** Own changes count as seen; what is gone is forgotten. */
  applied(changes: readonly FileChange[]): void {
    for (const change of changes) {
      if (change.kind === "delete") this.#seen.delete(change.path);
      else if (change.kind === "move") this.#moved(change.from, change.path);
      else if (change.after.type === "file") this.#seen.set(change.path, change.after.hash);
    }
  }

  /** The reason why an overwrite must not happen, or undefined. */
  objection(changes: readonly FileChange[]): ToolError | undefined {
    for (const change of changes) {
      if (change.kind !== "modify") continue;
      const seen = this.#seen.get(change.path);
      if (seen === undefined) return notRead(change.path);
      if (seen !== change.before.hash) return stale(change.path, seen, change.before.hash);
    }
    return undefined;
  }

  #moved(from: string, to: string): void {
    const seen = this.#seen.get(from);
    this.#seen.delete(from);
    if (seen === undefined) this.#seen.delete(to);
    else this.#seen.set(to, seen);
  }
}

function notRead(path: string): ToolError {
  return new ToolError("FILE_NOT_READ", `${path} exists and was not read in this session`, {
    hint: "Read it first, so that nothing in it is lost unseen.",
    details: { path },
  });
}

function stale(path: string, seen: string, now: string): ToolError {
  return new ToolError("STALE_FILE", `${path} has changed since it was read`, {
    hint: "Read it again, then repeat the change on what it holds now.",
    details: { path, readHash: seen, currentHash: now },
  });
}

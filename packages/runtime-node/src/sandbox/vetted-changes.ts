import { ToolError, type WorkspaceStore } from "@haft/core";
import { type Location, linkDestination, showPath } from "@haft/core/workspace";
import { errnoOf } from "../workspace/system-error.js";

/** Decides which changes of code may be applied, and reports the others. */
export class VettedChanges {
  readonly warnings: string[] = [];
  /** Changes that were skipped without affecting the others. */
  readonly notes: string[] = [];
  readonly #workspace: Pick<WorkspaceStore, "vet">;

  constructor(workspace: Pick<WorkspaceStore, "vet">) {
    this.#workspace = workspace;
  }

  /** Sealed paths need approval elsewhere and are rejected here, because no person sees code write them. */
  mayChange(path: string): boolean {
    const located = this.#vetted(path, path);
    if (located?.sealed) this.leave(path, "it would run as code later");
    return located !== undefined && !located.sealed;
  }

  /** Returns whether a link may point there: to a place that may itself be written. */
  mayLead(path: string, target: string): boolean {
    const destination = linkDestination(path, target);
    if (destination !== undefined) return this.#vetted(path, destination) !== undefined;
    this.leave(path, `${showPath(target)} is outside the workspace`);
    return false;
  }

  /** Reads a path. Reports one that cannot be read and returns undefined: code can remove its own right to read. */
  reading<T>(path: string, read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      const code = errnoOf(error);
      if (code === undefined || code === "ENAMETOOLONG") throw error;
      this.leave(path, `it cannot be read (${code})`);
      return undefined;
    }
  }

  leave(path: string, why: string): void {
    this.warnings.push(`${showPath(path)} was left as it is in the workspace: ${why}`);
  }

  /** Reports an entry that stays although it was deleted. */
  keep(path: string, why: string): void {
    this.notes.push(`${showPath(path)} was not deleted: ${why}`);
  }

  /** Changes in packages are dropped silently, but a command that removes all of them expects them to be gone. */
  keepPackages(folder: string): void {
    this.notes.push(
      `${showPath(folder)} was not deleted: only commands that install packages change it. To replace it, run: rm -rf node_modules && npm install`,
    );
  }

  /** Checks a place with the guard of all other writes. Reports a refused path as unchanged. */
  #vetted(path: string, place: string): Location | undefined {
    try {
      return this.#workspace.vet(place, { purpose: "write" });
    } catch (error) {
      if (!ToolError.is(error)) throw error;
      this.leave(path, error.message);
      return undefined;
    }
  }
}

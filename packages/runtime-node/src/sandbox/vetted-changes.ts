import { type Location, linkDestination, ToolError, type WorkspaceStore } from "@haft/core";
import { errnoOf } from "../workspace/system-error.js";

/** Which changes that code made may be taken over; every one that may not is told. */
export class VettedChanges {
  readonly warnings: string[] = [];
  readonly #workspace: Pick<WorkspaceStore, "vet">;

  constructor(workspace: Pick<WorkspaceStore, "vet">) {
    this.#workspace = workspace;
  }

  /** What is sealed only asks elsewhere and is refused here: nobody sees code write it. */
  mayChange(path: string): boolean {
    const located = this.#vetted(path, path);
    if (located?.sealed) this.leave(path, "it would run as code later");
    return located !== undefined && !located.sealed;
  }

  /** Whether a link may lead there: to a place that may be written itself. */
  mayLead(path: string, target: string): boolean {
    const destination = linkDestination(path, target);
    if (destination !== undefined) return this.#vetted(path, destination) !== undefined;
    this.leave(path, `${target} is outside the workspace`);
    return false;
  }

  /** Code can take away its own right to read what it wrote. */
  reading<T>(path: string, read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      const code = errnoOf(error);
      if (code === undefined) throw error;
      this.leave(path, `it cannot be read (${code})`);
      return undefined;
    }
  }

  leave(path: string, why: string): void {
    this.warnings.push(`${path} was left as it is in the workspace: ${why}`);
  }

  /** A place as the guard of every other write sees it; where it refuses, the path is told to stay as it is. */
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

import { posix } from "node:path";
import { ToolError, type WorkspaceStore } from "@haft/core";
import type { ListedName, PipelineRequest } from "@haft/core/capabilities";

type DirectoryWorkspace = Pick<WorkspaceStore, "locate" | "list" | "stat">;

/** The current directory of a command line. Resolves paths as its commands do. */
export class CommandDirectory {
  readonly #workspace: DirectoryWorkspace;
  #path: string;

  constructor(workspace: DirectoryWorkspace, path: string) {
    this.#workspace = workspace;
    this.#path = path;
  }

  get path(): string {
    return this.#path;
  }

  /** Returns the reason for a failure, or undefined on success. */
  async change(path: string): Promise<string | undefined> {
    try {
      const { path: located } = await this.#workspace.locate(this.resolve(path));
      const { type } = await this.#workspace.stat(located === "" ? "." : located);
      if (type !== "directory") return "Not a directory";
      this.#path = located === "" ? "." : located;
      return undefined;
    } catch (error) {
      return ToolError.is(error) && error.code === "NOT_A_DIRECTORY" ? error.message : NO_SUCH;
    }
  }

  async list(path: string): Promise<readonly ListedName[]> {
    try {
      const entries = await this.#workspace.list(this.resolve(path));
      // The target of a link is checked when it is used.
      return entries.map(({ name, type }) => ({
        name,
        isDirectory: type === "directory" || type === "symlink",
      }));
    } catch {
      return [];
    }
  }

  /** Returns the first input file that is missing. Rejects for a file that must not be read. */
  async missingFile({ commands }: PipelineRequest): Promise<string | undefined> {
    for (const { redirections = [] } of commands) {
      for (const redirection of redirections) {
        if (redirection.kind !== "read") continue;
        try {
          await this.#workspace.stat(this.resolve(redirection.path));
        } catch (error) {
          if (ToolError.is(error) && error.code === "FILE_NOT_FOUND") return redirection.path;
          throw error;
        }
      }
    }
    return undefined;
  }

  /** Returns a path relative to the root. A path that leaves the root is returned unchanged, to be refused later. */
  resolve(path: string): string {
    return posix.isAbsolute(path) ? path : posix.normalize(posix.join(this.#path, path));
  }
}

export const NO_SUCH = "No such file or directory";

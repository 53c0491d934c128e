import { posix } from "node:path";
import { type ListedName, type PipelineRequest, ToolError, type WorkspaceStore } from "@haft/core";

export type DirectoryWorkspace = Pick<WorkspaceStore, "locate" | "list" | "stat">;

/** The current directory of a command line, and paths as commands in it mean them. */
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

  /** Why it cannot be changed; undefined when it was. */
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
      // What a link leads to is judged when it is used.
      return entries.map(({ name, type }) => ({
        name,
        isDirectory: type === "directory" || type === "symlink",
      }));
    } catch {
      return [];
    }
  }

  /** The first file to read from that is not there. What must not be read rejects. */
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

  /** A path from the root; what leaves the root stays as it is, to be refused. */
  resolve(path: string): string {
    return posix.isAbsolute(path) ? path : posix.normalize(posix.join(this.#path, path));
  }
}

export const NO_SUCH = "No such file or directory";

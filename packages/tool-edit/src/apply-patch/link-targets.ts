import type { ToolContext } from "@haft/core";

/** The targets of the workspace's symbolic links, cached when each folder is first read. */
export class LinkTargets {
  readonly #workspace: Pick<ToolContext<"ReadFiles">["workspace"], "list">;
  readonly #folders = new Map<string, Promise<ReadonlyMap<string, string>>>();

  constructor(workspace: Pick<ToolContext<"ReadFiles">["workspace"], "list">) {
    this.#workspace = workspace;
  }

  /** Returns the target of the link at a path; undefined where there is no link. */
  async targetOf(path: string): Promise<string | undefined> {
    const slash = path.lastIndexOf("/");
    const folder = slash === -1 ? "." : path.slice(0, slash);
    const known = this.#folders.get(folder) ?? this.#linksIn(folder);
    this.#folders.set(folder, known);
    return (await known).get(path.slice(slash + 1));
  }

  async #linksIn(folder: string): Promise<ReadonlyMap<string, string>> {
    const entries = await this.#workspace.list(folder);
    return new Map(
      entries.flatMap(({ name, type, target }) =>
        type === "symlink" && target !== undefined ? [[name, target] as const] : [],
      ),
    );
  }
}

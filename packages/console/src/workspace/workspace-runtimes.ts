import { ToolError } from "@haft/core";
import type { NodeRuntime } from "@haft/runtime-node";
import { identityOf } from "../files/folder-watch.js";
import type { ConsoleWorkspace } from "./console-workspace.js";

interface RuntimesOptions {
  readonly workspace: ConsoleWorkspace;
  /** The account that answers here. */
  readonly user: string;
  /** Called with every runtime before it is used. */
  onOpen(runtime: NodeRuntime): void;
}

/**
 * The runtimes of one workspace that belong to no run: one that lists, explains and decides, and one that saves a
 * person's edits.
 */
export class WorkspaceRuntimes {
  readonly #options: RuntimesOptions;
  #current: NodeRuntime;
  #editor: Promise<NodeRuntime> | undefined;
  #reopening: Promise<void> = Promise.resolve();
  /** Concurrent callers that find another folder share one reopening. */
  #found: Promise<void> | undefined;
  /** Tells the folder from another one that was made in its place, which open runtimes do not see. */
  #folder: string;

  private constructor(options: RuntimesOptions, current: NodeRuntime) {
    this.#options = options;
    this.#current = current;
    this.#folder = identityOf(options.workspace.root);
    options.onOpen(current);
  }

  static async open(options: RuntimesOptions): Promise<WorkspaceRuntimes> {
    return new WorkspaceRuntimes(options, await options.workspace.openRuntime({ decidable: true }));
  }

  get current(): NodeRuntime {
    return this.#current;
  }

  /** Approves what a person edits by hand. Opened on the first save; a failure is not kept. */
  editor(): Promise<NodeRuntime> {
    this.#editor ??= this.#openEditor();
    const editor = this.#editor;
    editor.catch(() => {
      if (this.#editor === editor) this.#editor = undefined;
    });
    return editor;
  }

  /**
   * Opens both anew, so that a changed configuration or another folder takes effect. One that is under way may have
   * read the configuration before it changed, so the next waits for it and opens them again.
   */
  reopen(): Promise<void> {
    const opened = this.#reopening.catch(() => {}).then(() => this.#reopen());
    this.#reopening = opened;
    return opened;
  }

  /** Rejects while the folder is gone. Opens the runtimes anew in another folder that was made in its place. */
  async findFolder(): Promise<void> {
    const { root } = this.#options.workspace;
    const folder = identityOf(root);
    if (folder === "")
      throw new ToolError("PATH_NOT_FOUND", `The workspace folder ${root} does not exist`, {
        hint: "Put it back, or open the console in another folder.",
      });
    if (folder === this.#folder) return;
    this.#found ??= this.reopen()
      .then(() => {
        this.#folder = folder;
      })
      .finally(() => {
        this.#found = undefined;
      });
    await this.#found;
  }

  async close(): Promise<void> {
    await (await this.#editor?.catch(() => undefined))?.dispose();
    await this.#current.dispose();
  }

  async #openEditor(): Promise<NodeRuntime> {
    const { workspace, user, onOpen } = this.#options;
    const approver = async () => ({ approved: true, by: { how: "person", who: user } }) as const;
    const editor = await workspace.openRuntime({ approver });
    onOpen(editor);
    return editor;
  }

  async #reopen(): Promise<void> {
    const { workspace, onOpen } = this.#options;
    const [before, editor] = [this.#current, this.#editor];
    const next = await workspace.openRuntime({ decidable: true });
    onOpen(next);
    this.#current = next;
    this.#editor = undefined;
    await (await editor?.catch(() => undefined))?.dispose();
    await before.dispose();
  }
}

import { createHash } from "node:crypto";
import { basename } from "node:path";
import { isDurable, type RunEvent } from "@haft/agent";
import { messageOf, type ToolEvent, type ToolRuntime } from "@haft/core";
import { parentPath } from "@haft/core/workspace";
import type { NodeRuntime } from "@haft/runtime-node";
import { ApprovalInbox } from "../approvals/approval-inbox.js";
import { FolderWatch, identityOf } from "../files/folder-watch.js";
import { WorkspaceFiles } from "../files/workspace-files.js";
import type { ApprovalItem, ConsoleEvent, TrustQuestion, UndoOutcome, WorkspaceInfo } from "../protocol.js";
import { RunHub } from "../runs/run-hub.js";
import type { ConsoleWorkspace } from "./console-workspace.js";
import { WorkspaceRuntimes } from "./workspace-runtimes.js";

interface ServedOptions {
  readonly workspace: ConsoleWorkspace;
  /** The account that answers. */
  readonly user: string;
}

/** Provides the console's operations on one workspace and notifies pages of changes. */
export class ServedWorkspace {
  readonly id: string;
  readonly runs: RunHub;
  readonly approvals: ApprovalInbox;
  readonly files: WorkspaceFiles;
  readonly folders: FolderWatch;
  readonly #pages = new Set<(event: ConsoleEvent) => void>();
  readonly #timer: NodeJS.Timeout;
  readonly #workspace: ConsoleWorkspace;
  readonly #runtimes: WorkspaceRuntimes;
  #folder: string;
  #shown = "";
  /** Reads of the inbox run one after another, so that pages never receive an older list after a newer one. */
  #reading: Promise<unknown> = Promise.resolve();
  #refreshing: Promise<void> | undefined;

  private constructor(workspace: ConsoleWorkspace, runtimes: WorkspaceRuntimes) {
    this.#workspace = workspace;
    this.#runtimes = runtimes;
    this.#folder = identityOf(workspace.root);
    this.id = createHash("sha256").update(workspace.root).digest("hex").slice(0, 10);
    this.folders = new FolderWatch((folders) => this.#tell({ kind: "files", folders }));
    this.runs = new RunHub(
      {
        ...workspace,
        openRun: async () => {
          const prepared = await workspace.openRun();
          prepared.runtime.watch((event) => this.#noteChange(event));
          return prepared;
        },
      },
      (event) => this.#hear(event),
    );
    const current = () => runtimes.current;
    this.approvals = new ApprovalInbox({ workspaceId: this.id, runtime: current, runs: this.runs });
    this.files = new WorkspaceFiles(current, () => runtimes.editor());
    // Requests and runs of other processes arrive in the store without an event.
    this.#timer = setInterval(() => {
      this.#refreshApprovals();
      void this.#refreshRuns();
      this.#noteFolder();
    }, POLL_MS).unref();
  }

  static async open({ workspace, user }: ServedOptions): Promise<ServedWorkspace> {
    let served: ServedWorkspace | undefined;
    const onOpen = (runtime: ToolRuntime) =>
      runtime.watch((event) => {
        if (served !== undefined) served.#noteChange(event);
      });
    const runtimes = await WorkspaceRuntimes.open({ workspace, user, onOpen });
    served = new ServedWorkspace(workspace, runtimes);
    return served;
  }

  get runtime(): NodeRuntime {
    return this.#runtimes.current;
  }

  get info(): WorkspaceInfo {
    const { root } = this.#workspace;
    return { id: this.id, name: basename(root) || root, root, role: this.runtime.role.name };
  }

  /** Returns the configuration that waits for trust, if there is one. */
  async untrusted(): Promise<TrustQuestion | undefined> {
    return this.#workspace.trust?.question();
  }

  /** Trusts or declines the configuration, then reopens the runtime so that the decision takes effect. */
  async decideTrust(digest: string, isTrusted: boolean): Promise<void> {
    await this.#workspace.trust?.decide(digest, isTrusted);
    if (!isTrusted) return;
    await this.#runtimes.reopen();
    this.#tell({ kind: "config" });
  }

  /** Rejects while the folder is gone. Works in another folder that was made in its place. */
  findFolder(): Promise<void> {
    return this.#runtimes.findFolder();
  }

  /** Notifies pages of all changes in a folder from now on. Returns whether the folder is new. */
  watch(folder: string): boolean {
    return this.folders.add(folder, this.runtime.workspace.absolute(folder));
  }

  /** Adds a page. Returns a function that removes it. */
  listen(page: (event: ConsoleEvent) => void): () => void {
    this.#pages.add(page);
    return () => this.#pages.delete(page);
  }

  /** Undoes the file changes of calls, newest first. A failure does not stop the others. */
  async undo(callIds: readonly string[]): Promise<readonly UndoOutcome[]> {
    const outcomes: UndoOutcome[] = [];
    for (const callId of callIds) {
      try {
        const changes = await this.runtime.undo(callId);
        for (const { path } of changes) this.folders.changed(parentPath(path) ?? "");
        outcomes.push({ callId, changes });
      } catch (thrown) {
        outcomes.push({ callId, changes: [], problem: messageOf(thrown) });
      }
    }
    this.#tell({ kind: "runs" });
    return outcomes;
  }

  decided(id: string, by: string, approved: boolean): void {
    this.#tell({ kind: "decided", id, by, approved });
    this.#refreshApprovals();
  }

  /** Sends the pending approvals to a new page. */
  async showApprovals(page: (event: ConsoleEvent) => void): Promise<void> {
    await this.#inTurn(async () => page(this.#sendWaiting(await this.approvals.list())));
  }

  /** Sends the pending approvals to all pages if they have changed. Callers share a read that has not begun yet. */
  #refreshApprovals(): void {
    if (this.#pages.size === 0) return;
    this.#refreshing ??= this.#inTurn(async () => {
      this.#refreshing = undefined;
      this.#sendWaiting(await this.approvals.list());
    }).catch(() => undefined);
  }

  async #refreshRuns(): Promise<void> {
    if (this.#pages.size === 0) return;
    if (await this.runs.hasNews().catch(() => false)) this.#tell({ kind: "runs" });
  }

  #sendWaiting(items: readonly ApprovalItem[]): ConsoleEvent {
    const event: ConsoleEvent = { kind: "approvals", workspace: this.id, items };
    const shown = items.map(({ id }) => id).join(" ");
    if (shown !== this.#shown) this.#tell(event);
    this.#shown = shown;
    return event;
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#reading.then(work);
    this.#reading = done.catch(() => undefined);
    return done;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.folders.close();
    await this.runs.close();
    await this.#runtimes.close();
  }

  /** Nothing reports that the folder itself was deleted, moved or made anew. */
  #noteFolder(): void {
    const now = identityOf(this.#workspace.root);
    if (now !== this.#folder) this.folders.changed("");
    this.#folder = now;
  }

  #hear(event: RunEvent): void {
    if (!isDurable(event)) return;
    this.#tell({ kind: "runs" });
    if (APPROVAL_EVENTS.has(event.type)) this.#refreshApprovals();
  }

  #noteChange(event: ToolEvent): void {
    if (event.type === "approval-requested" || event.type === "approval-answered") this.#refreshApprovals();
    if (event.type !== "file-changed") return;
    const { path, from } = event.change;
    for (const changed of from === undefined ? [path] : [path, from])
      this.folders.changed(parentPath(changed) ?? "");
  }

  #tell(event: ConsoleEvent): void {
    for (const page of this.#pages) page(event);
  }
}

const APPROVAL_EVENTS: ReadonlySet<string> = new Set([
  "approval.requested",
  "approval.decided",
  "call.settled",
  "run.ended",
]);

const POLL_MS = 2_000;

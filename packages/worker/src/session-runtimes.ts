import { statSync } from "node:fs";
import type { ToolRuntime } from "@haft/core";
import type { CallRecord, SharedStore, WorkspaceFacts } from "@haft/core/calls";
import { createNodeRuntime, type NodeRuntime, type NodeRuntimeOptions } from "@haft/runtime-node";
import type { CallStart } from "./call-start.js";
import { EventsByCall } from "./events-by-call.js";
import { reportOutages } from "./report-outages.js";
import { workspaceApprovals } from "./workspace-approvals.js";
import { workspaceAudit } from "./workspace-audit.js";
import type { WorkspacePlace } from "./workspace-places.js";

/** The options shared by all runtimes of a worker. */
export interface SharedRuntimeOptions
  extends Omit<NodeRuntimeOptions, "workspace" | "approver" | "decidable" | "stores" | "stateDirectory"> {
  /** Wraps every runtime, such as `tracedRuntime` of `@haft/telemetry`. */
  wrap?<R extends ToolRuntime>(runtime: R): R;
}

/** A runtime, and the events of its calls. */
export interface SessionRuntime {
  readonly runtime: NodeRuntime;
  readonly events: EventsByCall;
  /** The calls that are executed, by id. */
  readonly starts: Map<string, CallStart>;
}

interface OpenRuntime {
  readonly session: Promise<SessionRuntime>;
  inUse: number;
  usedAtMs: number;
}

/**
 * The runtimes of a worker: one per workspace and session, so that a file read in one session does not count as read in
 * another. Closes the least recently used.
 */
export class SessionRuntimes {
  readonly #store: SharedStore;
  readonly #options: SharedRuntimeOptions;
  readonly #open = new Map<string, OpenRuntime>();
  /** Running calls whose approvals must be looked up, by tenant and id: tenants may choose the same ids. */
  readonly #askedBefore = new Set<string>();

  constructor(store: SharedStore, options: SharedRuntimeOptions) {
    this.#store = store;
    this.#options = options;
  }

  /** Runs work with the runtime of a call's session. */
  async use<T>(
    place: WorkspacePlace,
    call: CallRecord,
    work: (session: SessionRuntime) => Promise<T>,
  ): Promise<T> {
    const key = JSON.stringify([place.tenant, place.workspace, call.session, identityOf(place.folder)]);
    const open = this.#open.get(key) ?? this.#make(place);
    this.#open.set(key, open);
    open.inUse += 1;
    // A call claimed before may have requested approval, even if its worker could not report it.
    const mayHaveAsked = call.approvalId !== undefined || call.attempt > 1;
    const asked = keyOf(place.tenant, call.callId);
    if (mayHaveAsked) this.#askedBefore.add(asked);
    try {
      return await work(await open.session);
    } catch (thrown) {
      this.#open.delete(key);
      throw thrown;
    } finally {
      open.inUse -= 1;
      open.usedAtMs = Date.now();
      this.#askedBefore.delete(asked);
      this.#evict();
    }
  }

  /** Describes a workspace to clients. All workspaces of a worker offer the same tools. */
  async facts(place: WorkspacePlace): Promise<WorkspaceFacts> {
    const { runtime } = await this.#make(place).session;
    try {
      const { role, workspace } = runtime;
      return { root: workspace.root, role, tools: runtime.tools() };
    } finally {
      await runtime.dispose();
    }
  }

  async close(): Promise<void> {
    const open = [...this.#open.values()];
    this.#open.clear();
    await Promise.all(open.map(disposed));
  }

  #make(place: WorkspacePlace): OpenRuntime {
    const { tenant, workspace, folder, stateDirectory } = place;
    const starts: SessionRuntime["starts"] = new Map();
    const shared = <Part extends object>(part: Part) =>
      reportOutages(part, (cause) => {
        for (const start of [...starts.values()]) start.interrupt(cause);
      });
    const approvals = workspaceApprovals(shared(this.#store.approvals(tenant)), {
      workspace,
      root: folder,
      mayHaveAsked: (callId) => this.#askedBefore.has(keyOf(tenant, callId)),
    });
    const audit = workspaceAudit(this.#store.audit(tenant), workspace, (callId) => starts.get(callId));
    const stores = { approvals, grants: shared(this.#store.grants(place)), audit };
    const { wrap, ...options } = this.#options;
    const session = createNodeRuntime({
      ...options,
      workspace: folder,
      stateDirectory,
      decidable: true,
      stores,
    }).then((made) => {
      const runtime = wrap?.(made) ?? made;
      return { runtime, events: new EventsByCall(runtime), starts };
    });
    return { session, inUse: 0, usedAtMs: Date.now() };
  }

  #evict(): void {
    if (this.#open.size <= MAX_OPEN) return;
    const idle = [...this.#open].filter(([, { inUse }]) => inUse === 0);
    const [oldest] = idle.sort(([, a], [, b]) => a.usedAtMs - b.usedAtMs);
    if (oldest === undefined) return;
    const [key, open] = oldest;
    this.#open.delete(key);
    void disposed(open);
  }
}

const MAX_OPEN = 256;

/**
 * Changes if a folder was replaced by another of the same name: an open runtime would continue in the deleted folder.
 */
function identityOf(folder: string): string {
  const found = statSync(folder, { throwIfNoEntry: false });
  return `${found?.dev} ${found?.ino}`;
}

function disposed({ session }: OpenRuntime): Promise<void> {
  return session.then(({ runtime }) => runtime.dispose()).catch(() => {});
}

function keyOf(tenant: string, callId: string): string {
  return JSON.stringify([tenant, callId]);
}

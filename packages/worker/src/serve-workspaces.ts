import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { ToolError } from "@haft/core";
import type { SharedStore } from "@haft/core/calls";
import type { SharedRuntimeOptions } from "./session-runtimes.js";
import { Worker } from "./worker.js";

export interface ServeOptions extends SharedRuntimeOptions {
  /** The folder with the workspaces. */
  readonly root: string;
  readonly store: SharedStore;
  /** The tenant of the workspaces. Default: "default". */
  readonly tenant?: string;
  /** "tenants": the folders in `root` are tenants, and the folders in those are workspaces. Default: "workspaces". */
  readonly layout?: "workspaces" | "tenants";
  /** Identifies this process; must be unique. Default: host name and a random part. */
  readonly workerId?: string;
  /** The number of concurrent calls. Default: 16. */
  readonly slots?: number;
  /** How long a silent worker keeps a workspace. Default: 15,000. */
  readonly leaseMs?: number;
  /** How often to look for work if no hint arrives. Default: 1,000. */
  readonly pollMs?: number;
  /** Called with errors outside of calls, such as a database that does not answer. */
  onError?(error: unknown): void;
}

/** A worker that serves workspaces until it is drained. */
export interface WorkspaceServer extends AsyncDisposable {
  readonly workerId: string;
  /** Stops claiming calls, waits for running ones, settles them and releases all workspaces. */
  drain(): Promise<void>;
}

/**
 * Serves the workspaces below a folder: holds them under leases, executes calls from the store with the embedded
 * runtime, and settles the calls of a lost holder. Rejects if the store or a runtime cannot be used.
 */
export async function serveWorkspaces(options: ServeOptions): Promise<WorkspaceServer> {
  const { slots = 16, leaseMs = 15_000, pollMs = 1_000, tenant = "default", layout = "workspaces" } = options;
  if (slots < 1 || leaseMs < 100)
    throw new ToolError("CONFIG_INVALID", "A worker needs at least one slot and a lease of 100 ms");
  // Each tenant's state has its own folder, named after the tenant.
  if (layout === "workspaces" && !/^[^/\\\0]+$/.test(tenant.replace(/^\.+$/, "")))
    throw new ToolError("CONFIG_INVALID", `${JSON.stringify(tenant)} is not the name of a tenant`, {
      hint: "Use a name that could be the name of a folder.",
    });
  const workerId = options.workerId ?? `${hostname()}-${randomUUID().slice(0, 8)}`;
  const worker = new Worker({ ...options, tenant, layout, workerId, slots, leaseMs, pollMs });
  await worker.start();
  let drained: Promise<void> | undefined;
  const drain = () => {
    drained ??= worker.drain();
    return drained;
  };
  return { workerId, drain, [Symbol.asyncDispose]: drain };
}

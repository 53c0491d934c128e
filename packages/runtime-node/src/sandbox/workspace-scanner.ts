import type { SandboxRequest } from "@haft/core/capabilities";
import { withClosedPaths } from "./closed-workspace.js";
import { FolderCache } from "./folder-cache.js";
import type { IgnoredFolders } from "./pass-through.js";
import { type ScannedWorkspace, scanWorkspace, type WorkspaceScan } from "./workspace-scan.js";

/** Scans one workspace repeatedly; each scan costs only what changed since the last. */
export class WorkspaceScanner {
  readonly #workspace: ScannedWorkspace;
  readonly #isIgnored: IgnoredFolders | undefined;
  /** By closed paths, which decide what is secret. */
  readonly #caches = new Map<string, FolderCache>();
  /** The last scan of each cache. */
  readonly #latest = new WeakMap<FolderCache, WorkspaceScan>();

  constructor(workspace: ScannedWorkspace, isIgnored: IgnoredFolders | undefined) {
    this.#workspace = workspace;
    this.#isIgnored = isIgnored;
  }

  scan(request: Pick<SandboxRequest, "closed">): WorkspaceScan {
    const workspace = withClosedPaths(this.#workspace, request);
    const cache = this.#cacheFor(request);
    const scan = scanWorkspace(workspace, this.#isIgnored, cache);
    this.#latest.set(cache, scan);
    return scan;
  }

  /** Returns the last scan, however old it is. */
  latest(request: Pick<SandboxRequest, "closed">): WorkspaceScan | undefined {
    return this.#latest.get(this.#cacheFor(request));
  }

  /** Reads every folder, for exact sizes. */
  scanAnew(request: Pick<SandboxRequest, "closed">): WorkspaceScan {
    return scanWorkspace(withClosedPaths(this.#workspace, request), this.#isIgnored);
  }

  #cacheFor({ closed = [] }: Pick<SandboxRequest, "closed">): FolderCache {
    const key = JSON.stringify(closed);
    const cache = this.#caches.get(key) ?? new FolderCache();
    if (this.#caches.size >= MAX_CACHES && !this.#caches.has(key)) this.#caches.clear();
    this.#caches.set(key, cache);
    return cache;
  }
}

const MAX_CACHES = 4;

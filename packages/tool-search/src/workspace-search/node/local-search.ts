import { lstatSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import type { LocalFolder } from "@haft/core";
import { HeldPaths } from "../../engine/node/held-paths.js";
import { NodeSearchEngine } from "../../engine/node/node-search-engine.js";
import { withoutSlash } from "../../engine/node/path-guard.js";
import { TreeWalker } from "../../engine/node/tree-walker.js";
import type { SearchOutcome } from "../../engine/search/search-outcome.js";
import type { SearchRequest } from "../../engine/search/search-request.js";
import type { FileFacts, ListRequest, RawListing } from "../file-listing.js";

const SLICE_MS = 8;

/** Searches and lists a workspace that is a folder on this machine, past the workspace's own slower methods. */
export class LocalSearch {
  readonly #engine: NodeSearchEngine;
  readonly #root: string;
  readonly #mayOpen: (path: string) => boolean;

  constructor(local: LocalFolder) {
    this.#root = local.root;
    this.#mayOpen = withoutSlash((path) => local.mayOpen(path));
    this.#engine = new NodeSearchEngine({
      root: local.root,
      guard: { mayOpen: this.#mayOpen },
      threads: () => ({
        entry: new URL("../../engine/node/search-worker.js", import.meta.url),
        guard: local.guardModule,
      }),
    });
  }

  /** Ends the threads, if there are any. */
  async dispose(): Promise<void> {
    await this.#engine.dispose();
  }

  search(request: SearchRequest, signal: AbortSignal): Promise<SearchOutcome> {
    return this.#engine.search(request, signal);
  }

  async list(request: ListRequest, signal: AbortSignal): Promise<RawListing> {
    const held = new HeldPaths(this.#root);
    try {
      return await this.#listInSlices(request, held, signal);
    } finally {
      held.release();
    }
  }

  /** Size and time of each path, in order; undefined for one that is gone, "link" for what only the workspace follows. */
  factsOf(paths: readonly string[]): (FileFacts | "link" | undefined)[] {
    const held = new HeldPaths(this.#root);
    try {
      return paths.map((path) => factsAt(held, path));
    } finally {
      held.release();
    }
  }

  async #listInSlices(request: ListRequest, held: HeldPaths, signal: AbortSignal): Promise<RawListing> {
    const { walk: options, starts, leaveOut, callMs } = request;
    const { folders } = this.#engine;
    const mayOpen = this.#mayOpen;
    const walker = new TreeWalker({ folders, held, options, starts, mayOpen, takeLinks: true, leaveOut });
    const files: string[] = [];
    const endsAt = performance.now() + callMs;
    let until = performance.now() + SLICE_MS;
    while (walker.step(files)) {
      const now = performance.now();
      if (now < until) continue;
      if (now > endsAt) return listingOf(walker, files, true);
      await setImmediate();
      signal.throwIfAborted();
      until = performance.now() + SLICE_MS;
    }
    return listingOf(walker, files, walker.exhausted);
  }
}

function factsAt(held: HeldPaths, path: string): FileFacts | "link" | undefined {
  try {
    const stats = lstatSync(held.to(path));
    return stats.isSymbolicLink() ? "link" : { size: stats.size, modifiedMs: stats.mtimeMs };
  } catch {
    // It was removed after it was listed, or its folder is somewhere else by now.
    return undefined;
  }
}

function listingOf(walker: TreeWalker, files: readonly string[], incomplete: boolean): RawListing {
  const { links, leftOut, ledger: skipped } = walker;
  return { files, links, leftOut, skipped, incomplete };
}

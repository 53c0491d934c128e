import { token } from "@haft/core";
import type { WarmingService, WarmUp } from "@haft/core/capabilities";
import type { LocalFolder } from "@haft/core/workspace";
import type { NodeSearchEngine } from "../engine/node/node-search-engine.js";
import { PortableSearchEngine } from "../engine/portable/portable-search-engine.js";
import { SourceWalker } from "../engine/portable/source-walker.js";
import type { SearchOutcome } from "../engine/search/search-outcome.js";
import type { SearchRequest } from "../engine/search/search-request.js";
import type { FileFacts, FileListing, ListRequest, RawListing } from "../engine/walk/file-listing.js";
import { type ReadableWorkspace, workspaceSource } from "./workspace-source.js";

/** Where a search runs, and what stops it. */
export interface SearchPlace {
  readonly workspace: ReadableWorkspace;
  readonly signal: AbortSignal;
}

/** Searches any workspace: directly on disk if there is one, otherwise through its methods. */
export class WorkspaceSearch implements WarmingService {
  #portable: PortableSearchEngine | undefined;
  /** Keyed by the folder as the role may read it: two tools of one role may see different parts. */
  readonly #local = new Map<LocalFolder, Promise<NodeSearchEngine>>();

  async search(request: SearchRequest, { workspace, signal }: SearchPlace): Promise<SearchOutcome> {
    const local = await this.#localOf(workspace);
    if (local) return local.search(request, signal);
    this.#portable ??= new PortableSearchEngine();
    const source = workspaceSource(workspace, request.limits.maxFileBytes);
    return this.#portable.search(source, request, signal);
  }

  async list(request: ListRequest, place: SearchPlace): Promise<FileListing> {
    const local = await this.#localOf(place.workspace);
    const { links, ...listing } = local
      ? await local.list(request, place.signal)
      : await listPortably(request, place);
    const linked: string[] = [];
    for (const link of links) if (await leadsToFile(link, place.workspace)) linked.push(link);
    return { ...listing, files: [...listing.files, ...linked] };
  }

  /** Returns size and time of each path, in order; undefined for a removed one. */
  async factsOf(
    paths: readonly string[],
    workspace: ReadableWorkspace,
  ): Promise<readonly (FileFacts | undefined)[]> {
    const local = await this.#localOf(workspace);
    const ask = (path: string) => askForFacts(path, workspace);
    if (!local) return Promise.all(paths.map(ask));
    const found = local
      .factsOf(paths)
      .map((facts, index) => (facts === "link" ? ask(paths[index] as string) : facts));
    return Promise.all(found);
  }

  /** Prepares the folders searched so far, and the one that the next call will most likely search. */
  async warm({ local, signal }: WarmUp): Promise<void> {
    if (local) await this.#open(local);
    for (const opened of [...this.#local.values()]) await (await opened).prepare(signal);
  }

  /** Called when the runtime shuts down; ends the search threads. */
  async dispose(): Promise<void> {
    const opened = [...this.#local.values()];
    this.#local.clear();
    await Promise.all(opened.map(async (local) => (await local).dispose()));
  }

  // Loaded on demand: a host without Node never needs it.
  async #localOf(workspace: ReadableWorkspace): Promise<NodeSearchEngine | undefined> {
    const { local } = workspace;
    return local && this.#open(local);
  }

  #open(local: LocalFolder): Promise<NodeSearchEngine> {
    const known = this.#local.get(local);
    if (known) return known;
    const opening = import("../engine/node/open-search-engine.js").then(({ openSearchEngine }) =>
      openSearchEngine(local),
    );
    this.#local.set(local, opening);
    return opening;
  }
}

/** Shared by the tools of one runtime, to reuse the engine's caches. */
export const WORKSPACE_SEARCH = token<WorkspaceSearch>(
  "tool-search.workspace-search",
  () => new WorkspaceSearch(),
);

async function listPortably(request: ListRequest, { workspace, signal }: SearchPlace): Promise<RawListing> {
  const { walk, starts, leaveOut, callMs } = request;
  const source = workspaceSource(workspace, IGNORE_FILE_BYTES);
  const walker = new SourceWalker(source, walk, { takeLinks: true, starts, leaveOut });
  const files: string[] = [];
  const endsAt = performance.now() + callMs;
  let isLate = false;
  for await (const path of walker.files()) {
    signal.throwIfAborted();
    files.push(path);
    isLate = performance.now() > endsAt;
    if (isLate) break;
  }
  return {
    files,
    links: walker.links,
    leftOut: walker.leftOut,
    skipped: walker.ledger,
    incomplete: isLate || walker.exhausted,
  };
}

const IGNORE_FILE_BYTES = 1024 * 1024;

async function askForFacts(path: string, workspace: ReadableWorkspace): Promise<FileFacts | undefined> {
  try {
    const { size, modifiedMs } = await workspace.stat(path);
    return { size, modifiedMs };
  } catch {
    // Removed after it was listed.
    return undefined;
  }
}

/** A link counts as a file if its target is a readable file inside the workspace. */
async function leadsToFile(link: string, workspace: ReadableWorkspace): Promise<boolean> {
  try {
    return (await workspace.stat(link)).type === "file";
  } catch {
    // Broken, outside or secret: in each case there is no file to report.
    return false;
  }
}

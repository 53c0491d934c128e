import { token } from "@haft/core";
import { PortableSearchEngine } from "../engine/portable/portable-search-engine.js";
import { SourceWalker } from "../engine/portable/source-walker.js";
import type { SearchOutcome } from "../engine/search/search-outcome.js";
import type { SearchRequest } from "../engine/search/search-request.js";
import type { FileFacts, FileListing, ListRequest, RawListing } from "./file-listing.js";
import type { LocalSearch } from "./node/local-search.js";
import { type ReadableWorkspace, workspaceSource } from "./workspace-source.js";

/** Where a search happens, and what ends it. */
export interface SearchPlace {
  readonly workspace: ReadableWorkspace;
  readonly signal: AbortSignal;
}

/** One way to search any workspace: straight on the disk where there is one, through its methods elsewhere. */
export class WorkspaceSearch {
  #portable: PortableSearchEngine | undefined;
  readonly #local = new Map<string, Promise<LocalSearch>>();

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

  /** Size and time of each path, in order; undefined for one that is gone. */
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

  /** Called when the runtime ends: search threads end with it. */
  async dispose(): Promise<void> {
    const opened = [...this.#local.values()];
    this.#local.clear();
    await Promise.all(opened.map(async (local) => (await local).dispose()));
  }

  // Loaded on demand: a host without Node never asks for it.
  async #localOf(workspace: ReadableWorkspace): Promise<LocalSearch | undefined> {
    const { local } = workspace;
    if (!local) return undefined;
    const known = this.#local.get(local.root);
    if (known) return known;
    const opening = import("./node/local-search.js").then(({ LocalSearch }) => new LocalSearch(local));
    this.#local.set(local.root, opening);
    return opening;
  }
}

/** Shared by the tools of one runtime, because an engine's memory is worth keeping. */
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
    // It was removed after it was listed.
    return undefined;
  }
}

/** A link counts as a file when its target is one, inside the workspace, that may be read. */
async function leadsToFile(link: string, workspace: ReadableWorkspace): Promise<boolean> {
  try {
    return (await workspace.stat(link)).type === "file";
  } catch {
    // Broken, outside or secret: whichever it is, there is no file here to speak of.
    return false;
  }
}

import type { SearchRequest } from "../search/search-request.js";
import { FileIndex } from "./file-index.js";
import { FolderCache } from "./folder-cache.js";
import type { FolderSource } from "./folder-view.js";
import type { Knowledge } from "./helped-search.js";
import type { NodeSearchEngineOptions } from "./node-search-engine-options.js";
import { type SharedFileIndex, shareFileIndex } from "./shared-file-index.js";

const POOL_FROM = 1000;
/**
 * The number of the search that learns file contents, and keeps the bytes of small files. It takes half as long again,
 * which pays off from the third search after it, so a process with one or two searches skips that.
 */
const LEARNS_FROM = 3;

/** What an engine remembers about its tree between searches: folders, files and their number. */
export class TreeKnowledge {
  readonly folders: FolderCache;
  private shared: SharedFileIndex | undefined;
  private index: FileIndex | undefined;
  private searches = 0;
  private readonly sizes = new Map<string, number>();

  constructor(private readonly options: Pick<NodeSearchEngineOptions, "root" | "settledMs" | "poolFrom">) {
    this.folders = new FolderCache(options.root);
  }

  /** Starts a new answer: everything must be checked again. Call only while no search runs. */
  beginAnswer(): void {
    this.index?.tidy();
    this.divideRoom();
    this.index?.nextMoment();
    this.folders.nextMoment();
  }

  foldersFor({ follows }: SearchRequest): FolderSource {
    return follows ? this.folders.checkedOnce : this.folders;
  }

  /** The index in memory that threads can share, created on first use. */
  get sharedIndex(): SharedFileIndex | undefined {
    this.shared ??= shareFileIndex(this.options.root, this.options.settledMs);
    return this.shared;
  }

  openIndex(): FileIndex | undefined {
    this.index ??= this.sharedIndex && new FileIndex(this.sharedIndex);
    return this.index;
  }

  /** Returns how the next search uses the index, given what idle time was used for. */
  next(
    request: SearchRequest,
    ahead: { readonly hasLearnt: boolean; readonly hasLearntAll: boolean },
  ): Knowledge {
    if (!request.follows) this.searches++;
    if (this.searches >= LEARNS_FROM || ahead.hasLearntAll) return "learn";
    return ahead.hasLearnt ? "use" : "none";
  }

  /** Divides the room of the index for the largest known part of the tree. Call only while no search runs. */
  divideRoom(): void {
    let largest = 0;
    for (const size of this.sizes.values()) largest = Math.max(largest, size);
    if (this.sizes.size > 0) this.openIndex()?.divide(largest);
  }

  /** Records how many files a search or listing found; one over a part of the tree says nothing about the rest. */
  noteSize(folder: string, files: number): void {
    this.sizes.set(folder, Math.max(files, this.sizes.get(folder) ?? 0));
  }

  /** Returns whether threads are useful from the start. */
  isLarge({ walk, file }: SearchRequest): boolean {
    const from = this.options.poolFrom ?? POOL_FROM;
    return file === undefined && (this.sizes.get(walk.folder) ?? 0) >= from;
  }
}

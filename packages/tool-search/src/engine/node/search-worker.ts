// The body of a worker thread: searches what it is told to. Between two searches it keeps its kernel and what it knows of
// folders; what it learns of files is shared by all threads.
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { SearchKernel } from "../kernel/search-kernel.js";
import { compilePattern } from "../match/compile-pattern.js";
import { BATCH_BYTES } from "../search/file-searcher.js";
import { SearchStopped } from "../search/search-control.js";
import type { SearchTally } from "../search/search-tally.js";
import { DiskSearch } from "./disk-search.js";
import { FileIndex } from "./file-index.js";
import { FolderCache } from "./folder-cache.js";
import { type GuardModule, withoutSlash } from "./path-guard.js";
import {
  CONTROL,
  type FromWorker,
  type ToHelper,
  type ToWorker,
  type WorkerSetup,
} from "./worker-messages.js";

const CHUNK = 128;
const CHUNKS_AHEAD = 2;

interface CurrentSearch {
  readonly id: number;
  readonly search: DiskSearch;
  readonly control: Int32Array;
  /** Why the helper has stopped before the end. */
  failure?: unknown;
}

class SearchWorker {
  private readonly kernel = new SearchKernel(BATCH_BYTES * 6);
  private readonly folders: FolderCache;
  private other: MessagePort | undefined;
  private current: CurrentSearch | undefined;
  private readonly index: FileIndex | undefined;

  constructor(
    private readonly setup: WorkerSetup,
    private readonly mayOpen: (path: string) => boolean,
    private readonly post: (message: FromWorker) => void,
  ) {
    this.folders = new FolderCache(setup.root);
    this.index = setup.index && new FileIndex(setup.index);
  }

  handle(message: ToWorker): void {
    if (message.type === "connect") this.connect(message.role, message.port);
    else if (message.type === "search") this.lead(message);
    else this.collect(message);
  }

  private connect(role: "leader" | "helper", port: MessagePort): void {
    this.other = port;
    if (role === "helper") port.on("message", (message: ToHelper) => this.help(message));
    this.post({ type: "ready" });
  }

  private lead(message: Extract<ToWorker, { type: "search" }>): void {
    const { id } = message;
    this.send(message);
    try {
      const current = this.begin(message);
      this.walkAndShare(current);
      this.send({ type: "last", id });
      this.post({ type: "tally", id, tally: current.search.finish() });
    } catch (error) {
      this.send({ type: "last", id });
      this.postFailure(id, error);
    } finally {
      this.current?.search.release();
    }
  }

  // The helper is kept two chunks ahead; what it cannot take yet, the leader searches itself.
  private walkAndShare({ id, search, control }: CurrentSearch): void {
    const files: string[] = [];
    let more = true;
    while (more || files.length > 0) {
      while (more && files.length < CHUNK) more = search.walk(files);
      const chunk = files.splice(0, CHUNK);
      if (chunk.length === 0) return;
      if (Atomics.load(control, CONTROL.waiting) < CHUNKS_AHEAD) {
        Atomics.add(control, CONTROL.waiting, 1);
        this.send({ type: "paths", id, paths: chunk.join("\0") });
      } else if (!search.search(chunk)) return;
    }
  }

  private begin({ id, request, control }: Extract<ToWorker, { type: "search" }>): CurrentSearch {
    const isCancelled = () => Atomics.load(control, CONTROL.stop) !== 0;
    const { folders, index, kernel, mayOpen } = this;
    const { root } = this.setup;
    const pattern = compilePattern(request.pattern);
    const search = new DiskSearch({ root, folders, index, request, pattern, kernel, mayOpen, isCancelled });
    this.current = { id, search, control };
    return this.current;
  }

  // The helper answers once, at the end, whatever happened before: the next search must not meet the rest of this one.
  private help(message: ToHelper): void {
    if (message.type === "search") this.begin(message);
    const current = this.current as CurrentSearch;
    if (message.type === "paths") {
      current.failure ??= this.attempt(() => void current.search.search(message.paths.split("\0")));
      Atomics.sub(current.control, CONTROL.waiting, 1);
    } else if (message.type === "last") {
      let tally: SearchTally | undefined;
      current.failure ??= this.attempt(() => {
        tally = current.search.finish();
      });
      current.search.release();
      if (current.failure) this.postFailure(current.id, current.failure);
      else this.post({ type: "tally", id: current.id, tally });
    }
  }

  private attempt(work: () => void): unknown {
    try {
      work();
      return undefined;
    } catch (error) {
      return error;
    }
  }

  private collect({ id, wanted }: Extract<ToWorker, { type: "collect" }>): void {
    const failure = this.attempt(() => {
      const { search } = this.current as CurrentSearch;
      this.post({ type: "lines", id, ...search.collect(wanted) });
    });
    this.current?.search.release();
    if (failure) this.postFailure(id, failure);
  }

  private send(message: ToHelper): void {
    this.other?.postMessage(message);
  }

  private postFailure(id: number, error: unknown): void {
    if (error instanceof SearchStopped) this.post({ type: "tally", id, tally: undefined });
    else this.post({ type: "failed", id, error });
  }
}

async function startWorker(): Promise<void> {
  const setup = workerData as WorkerSetup;
  const { guard } = setup;
  const port = parentPort as MessagePort;
  const mayOpen = guard ? await loadGuard(guard) : () => true;
  const worker = new SearchWorker(setup, mayOpen, (message) => port.postMessage(message));
  port.on("message", (message: ToWorker) => worker.handle(message));
}

// A thread without its guard must not search at all.
async function loadGuard({ url, exportName, data }: GuardModule): Promise<(path: string) => boolean> {
  const module = (await import(url)) as Record<string, (data: unknown) => unknown>;
  const mayOpen = await module[exportName]?.(data);
  if (typeof mayOpen !== "function") throw new Error(`no guard ${exportName} in ${url}`);
  return withoutSlash((path) => mayOpen(path) === true);
}

await startWorker();

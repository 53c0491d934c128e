// The entry of a worker thread: searches files from a queue. It keeps its kernel between searches; all threads share
// what they learn about files.
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { runAll } from "@haft/text/regex";
import { SearchKernel } from "../kernel/search-kernel.js";
import { compilePattern } from "../match/compile-pattern.js";
import { BATCH_BYTES } from "../search/file-searcher.js";
import { SearchStopped } from "../search/search-control.js";
import type { SearchRequest } from "../search/search-request.js";
import type { SearchTally } from "../search/search-tally.js";
import { DiskSearch } from "./disk-search.js";
import { FileIndex } from "./file-index.js";
import { type GuardModule, withoutSlash } from "./path-guard.js";
import { PathQueue } from "./path-queue.js";
import { sharedNow } from "./shared-clock.js";
import type { FromWorker, ToWorker, WorkerSetup } from "./worker-messages.js";

class SearchWorker {
  private readonly kernel = new SearchKernel(BATCH_BYTES * 6);
  private readonly queue: PathQueue;
  private readonly index: FileIndex | undefined;
  private current: DiskSearch | undefined;

  constructor(
    private readonly setup: WorkerSetup,
    private readonly mayOpen: (path: string) => boolean,
    private readonly post: (message: FromWorker) => void,
  ) {
    this.queue = new PathQueue(setup.paths);
    this.index = setup.index && new FileIndex(setup.index);
  }

  handle(message: ToWorker): void {
    if (message.type === "search") this.help(message);
    else this.collect(message);
  }

  // A thread that starts late finds the search over; nothing waits for it.
  private help(message: Extract<ToWorker, { type: "search" }>): void {
    const { id } = message;
    if (!this.queue.join(id)) return;
    try {
      this.post({ type: "tally", id, tally: this.searchFiles(message) });
    } catch (error) {
      this.postFailure(id, error);
    } finally {
      this.current?.release();
    }
  }

  private searchFiles(message: Extract<ToWorker, { type: "search" }>): SearchTally {
    const { queue, kernel, mayOpen } = this;
    const { knowledge, turn } = message;
    const request = withTimeLeft(message);
    const search = new DiskSearch({
      root: this.setup.root,
      index: knowledge === "none" ? undefined : this.index,
      learns: knowledge === "learn",
      // With threads, keeping bytes costs a search about what it saves the next; without a waiting caller it costs
      // nothing.
      keeps: turn !== undefined,
      request,
      pattern: compilePattern(request.pattern),
      kernel,
      mayOpen,
      isCancelled: () => queue.isStopped,
    });
    this.current = search;
    for (let paths = queue.takeOrWait(turn); paths; paths = queue.takeOrWait(turn)) {
      const continues = runAll(search.search(paths));
      queue.done();
      if (!continues) break;
    }
    if (queue.isStopped) throw new SearchStopped("cancelled");
    return runAll(search.finish());
  }

  private collect({ id, wanted }: Extract<ToWorker, { type: "collect" }>): void {
    try {
      this.post({ type: "lines", id, ...runAll((this.current as DiskSearch).collect(wanted)) });
    } catch (error) {
      this.postFailure(id, error);
    } finally {
      this.current?.release();
    }
  }

  private postFailure(id: number, error: unknown): void {
    if (error instanceof SearchStopped) this.post({ type: "tally", id, tally: undefined });
    else this.post({ type: "failed", id, error });
  }
}

// A thread that begins late has less time: all end together.
function withTimeLeft({ request, startedAt }: Extract<ToWorker, { type: "search" }>): SearchRequest {
  const callMs = Math.max(0, request.limits.callMs - (sharedNow() - startedAt));
  return { ...request, limits: { ...request.limits, callMs } };
}

async function startWorker(): Promise<void> {
  const setup = workerData as WorkerSetup;
  const { guard } = setup;
  const port = parentPort as MessagePort;
  const mayOpen = guard ? await loadGuard(guard) : () => true;
  const worker = new SearchWorker(setup, mayOpen, (message) => port.postMessage(message));
  port.on("message", (message: ToWorker) => worker.handle(message));
  port.postMessage({ type: "ready" } satisfies FromWorker);
}

// A thread without its guard must not search.
async function loadGuard({ url, exportName, data }: GuardModule): Promise<(path: string) => boolean> {
  const module = (await import(url)) as Record<string, (data: unknown) => unknown>;
  const mayOpen = await module[exportName]?.(data);
  if (typeof mayOpen !== "function") throw new Error(`no guard ${exportName} in ${url}`);
  return withoutSlash((path) => mayOpen(path) === true);
}

await startWorker();

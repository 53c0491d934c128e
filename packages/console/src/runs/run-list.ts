import type { DurableEvent, RunHandle } from "@haft/agent";
import type { RunJournalStore } from "@haft/core/stores";
import type { RunSummary } from "../protocol.js";
import { RunDigest } from "./run-digest.js";

/** Summarizes all runs, most recent event first. Reads only new events. */
export class RunList {
  readonly #store: RunJournalStore<DurableEvent>;
  readonly #digests = new Map<string, RunDigest>();

  constructor(store: RunJournalStore<DurableEvent>) {
    this.#store = store;
  }

  async read(liveRun: (runId: string) => RunHandle | undefined): Promise<readonly RunSummary[]> {
    const ids = await this.#store.list();
    for (const gone of [...this.#digests.keys()].filter((known) => !ids.includes(known)))
      this.#digests.delete(gone);
    const found = await Promise.all(ids.map((runId) => this.#summary(runId, liveRun(runId))));
    return found
      .flatMap((summary) => (summary === undefined ? [] : [summary]))
      .sort((a, b) => (a.lastAt > b.lastAt ? -1 : 1));
  }

  async find(words: string, liveRun: (runId: string) => RunHandle | undefined): Promise<readonly string[]> {
    const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
    const summaries = await this.read(liveRun);
    return summaries.map(({ runId }) => runId).filter((runId) => this.#digests.get(runId)?.mentions(wanted));
  }

  /** Returns whether other processes have started, continued or deleted runs since the last `read`. */
  async hasNews(isLive: (runId: string) => boolean): Promise<boolean> {
    const ids = await this.#store.list();
    if (ids.length !== this.#digests.size) return true;
    const open: RunDigest[] = [];
    const over: RunDigest[] = [];
    for (const runId of ids) {
      const digest = this.#digests.get(runId);
      if (digest === undefined) return true;
      if (!isLive(runId)) (digest.isOver ? over : open).push(digest);
    }
    over.sort((a, b) => (a.lastAt > b.lastAt ? -1 : 1));
    for (const { runId, lastSeq } of [...open, ...over.slice(0, MAX_CHECKED_ENDED)]) {
      const news = await this.#store.read(runId, lastSeq).catch(() => []);
      if (news.length > 0) return true;
    }
    return false;
  }

  async #summary(runId: string, live: RunHandle | undefined): Promise<RunSummary | undefined> {
    const digest = this.#digests.get(runId) ?? new RunDigest(runId);
    this.#digests.set(runId, digest);
    try {
      const news = live === undefined ? await this.#store.read(runId, digest.lastSeq) : live.log;
      for (const event of news) digest.add(event);
    } catch {
      // Omits a journal that is damaged or of a later version.
      return undefined;
    }
    return digest.summary(live !== undefined);
  }
}

/** People mostly continue recent runs, so only these are checked. */
const MAX_CHECKED_ENDED = 20;

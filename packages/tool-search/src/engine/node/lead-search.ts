import type { Steps } from "@haft/text/regex";
import type { DiskSearch } from "./disk-search.js";
import type { TeamSearch } from "./team-search.js";

/** Files per chunk: enough that taking one costs little, few enough that threads end together. */
const CHUNK = 64;
/** Chunks to list ahead before the listing thread searches too. */
const CHUNKS_AHEAD = 8;
/** Above this many files the tree may be large, so it is listed completely first. */
const MAYBE_LARGE = 256;
const FILES_PER_STEP = 16;

/**
 * Leads a search from the caller's thread: lists the tree once, and distributes the files to the threads of a team as
 * soon as there is one. Until there are enough threads it searches too.
 */
export class LeadSearch {
  private readonly files: string[] = [];
  private own: string[] = [];
  /** A search of some files that is not finished. */
  private running: Steps<boolean> | undefined;
  private walked = false;
  private isOutOfTime = false;
  private team: TeamSearch | undefined;

  constructor(
    private readonly search: DiskSearch,
    /** The number of files from which threads help; undefined if none may. */
    private readonly shareFrom: number | undefined,
  ) {}

  /** Whether the tree is large enough for threads. */
  get wantsTeam(): boolean {
    const { shareFrom, team } = this;
    return !team && shareFrom !== undefined && this.search.searchedFiles + this.files.length >= shareFrom;
  }

  join(team: TeamSearch): void {
    this.team = team;
  }

  /** Works for about a millisecond. "wait": the threads have enough work, call again later. */
  step(): "more" | "wait" | "done" {
    if (this.isOutOfTime) return "done";
    if (this.running) return this.goOn(this.running);
    const { team } = this;
    // Threads that stopped empty the queue no more.
    if (team?.queue.isStopped) return "done";
    if (this.own.length > 0) return this.searchSome(this.own);
    if (!this.walked && this.shouldWalk()) {
      this.walked = !this.search.walk(this.files);
      if (team) this.share(team);
      return "more";
    }
    if (!team) return this.files.length > 0 ? this.searchSome(this.files) : "done";
    this.share(team);
    if (team.isFull && this.own.length === 0) return this.files.length > 0 ? "wait" : this.end();
    if (this.own.length === 0) this.own = team.queue.take() ?? this.files.splice(0);
    return this.own.length > 0 ? "more" : this.end();
  }

  // A full queue may empty after the listing paused for it: then there is nothing to hand out, but more to list.
  private end(): "more" | "done" {
    return this.walked ? "done" : "more";
  }

  // Without threads, a folder is searched before the next is listed, so that it is opened once.
  private shouldWalk(): boolean {
    if (this.team)
      return this.team.isFull ? this.files.length < CHUNK : this.team.queue.waiting < CHUNKS_AHEAD;
    if (this.files.length === 0) return true;
    return this.shareFrom !== undefined && this.search.searchedFiles >= MAYBE_LARGE && !this.wantsTeam;
  }

  private share({ queue }: TeamSearch): void {
    while (this.files.length >= CHUNK || (this.walked && this.files.length > 0)) {
      const chunk = this.files.splice(-CHUNK);
      const result = queue.push(chunk);
      if (result === "pushed") continue;
      (result === "too long" ? this.own : this.files).push(...chunk);
      return;
    }
  }

  private searchSome(files: string[]): "more" | "done" {
    this.running = this.search.search(files.splice(-FILES_PER_STEP));
    return this.goOn(this.running);
  }

  private goOn(running: Steps<boolean>): "more" | "done" {
    const step = running.next();
    if (!step.done) return "more";
    this.running = undefined;
    this.isOutOfTime = !step.value;
    return this.isOutOfTime ? "done" : "more";
  }
}

import type { CompiledPattern } from "../match/compile-pattern.js";
import type { SearchRequest } from "../search/search-request.js";
import type { LeadSearch } from "./lead-search.js";
import type { SearchPool } from "./search-pool.js";
import { sharedNow } from "./shared-clock.js";
import type { TeamSearch } from "./team-search.js";

/** A search that threads may join while it runs. */
export class HelpedSearch {
  team: TeamSearch | undefined;
  isAsked = false;
  private isOver = false;
  private readonly startedAt = sharedNow();

  constructor(
    readonly lead: LeadSearch,
    readonly asked: AskedSearch,
  ) {}

  begin(pool: SearchPool | undefined): void {
    if (!pool || this.isOver) return;
    this.team = pool.begin(this.asked, this.startedAt);
    this.lead.join(this.team);
  }

  end(): void {
    this.isOver = true;
    void this.team?.release();
  }
}

export interface AskedSearch {
  readonly request: SearchRequest;
  readonly pattern: CompiledPattern;
  readonly knowledge: Knowledge;
  /** Whether no caller waits for it: it then uses one core, and does not keep the process alive. */
  readonly isQuiet: boolean;
  /** Whether to search without threads, because they were lost. */
  readonly isAlone: boolean;
}

/** Whether a search uses known files and keeps their bytes, and whether it also learns their grams. */
export type Knowledge = "none" | "use" | "learn";

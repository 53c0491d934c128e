import type { CollectedLines } from "../search/collect-lines.js";
import type { SearchRequest } from "../search/search-request.js";
import type { SearchTally, WantedAnswer } from "../search/search-tally.js";
import type { Knowledge } from "./helped-search.js";
import type { GuardModule } from "./path-guard.js";
import type { SharedFileIndex } from "./shared-file-index.js";

export interface WorkerSetup {
  readonly root: string;
  readonly guard: GuardModule | undefined;
  readonly index: SharedFileIndex | undefined;
  /** The source of the paths: the memory of a PathQueue. */
  readonly paths: SharedArrayBuffer;
}

export type ToWorker =
  | {
      readonly type: "search";
      readonly id: number;
      readonly request: SearchRequest;
      readonly knowledge: Knowledge;
      /** When the search began, by the clock that all threads share. */
      readonly startedAt: number;
      /** Whose turn it is in a search that no caller waits for: both threads then share one core. */
      readonly turn: number | undefined;
    }
  | { readonly type: "collect"; readonly id: number; readonly wanted: WantedAnswer };

export type FromWorker =
  | { readonly type: "ready" }
  /** Sent once by every thread that joined a search. Without a tally when the search was cancelled. */
  | { readonly type: "tally"; readonly id: number; readonly tally: SearchTally | undefined }
  | ({ readonly type: "lines"; readonly id: number } & CollectedLines)
  | { readonly type: "failed"; readonly id: number; readonly error: unknown };

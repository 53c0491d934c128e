import type { MessagePort } from "node:worker_threads";
import type { CollectedLines } from "../search/collect-lines.js";
import type { SearchRequest } from "../search/search-request.js";
import type { SearchTally, WantedAnswer } from "../search/search-tally.js";
import type { SharedFileIndex } from "./file-index.js";
import type { GuardModule } from "./path-guard.js";

export interface WorkerSetup {
  readonly root: string;
  readonly guard: GuardModule | undefined;
  readonly index: SharedFileIndex | undefined;
}

/** Two cells shared by all threads of a search: whether to stop, and how many chunks the helper has not finished. */
export const CONTROL = { stop: 0, waiting: 1 } as const;

export type ToWorker =
  /** Connects the leader, which walks, with the helper, which only searches. */
  | { readonly type: "connect"; readonly role: "leader" | "helper"; readonly port: MessagePort }
  | {
      readonly type: "search";
      readonly id: number;
      readonly request: SearchRequest;
      readonly control: Int32Array;
    }
  | { readonly type: "collect"; readonly id: number; readonly wanted: WantedAnswer };

/** From the leader to the helper: first the search, then paths joined by NUL, which no path holds, then the end. */
export type ToHelper =
  | Extract<ToWorker, { type: "search" }>
  | { readonly type: "paths"; readonly id: number; readonly paths: string }
  | { readonly type: "last"; readonly id: number };

export type FromWorker =
  | { readonly type: "ready" }
  /** Without a tally when the search was cancelled. */
  | { readonly type: "tally"; readonly id: number; readonly tally: SearchTally | undefined }
  | ({ readonly type: "lines"; readonly id: number } & CollectedLines)
  | { readonly type: "failed"; readonly id: number; readonly error: unknown };

import type { LeftOut, StartFolder } from "./folder-sorter.js";
import type { SkipLedger } from "./skip-ledger.js";
import type { WalkOptions } from "./walk-options.js";

export interface ListRequest {
  readonly walk: WalkOptions;
  /** Where to start, in place of the folder of `walk`: what an earlier listing left out. */
  readonly starts?: readonly StartFolder[] | undefined;
  /** Returns true for folders to skip, given their path relative to the root. */
  readonly leaveOut: (folder: string) => boolean;
  readonly callMs: number;
}

export interface FileListing {
  /** Relative to the root, in no particular order. Includes links to files inside the workspace. */
  readonly files: readonly string[];
  readonly skipped: SkipLedger;
  /** What ignore files and `leaveOut` excluded. */
  readonly leftOut: LeftOut;
  /** Whether a deadline or the budget of entries ended it early. */
  readonly incomplete: boolean;
}

/** A listing before its links are resolved. */
export interface RawListing extends FileListing {
  readonly links: readonly string[];
}

export interface FileFacts {
  readonly size: number;
  readonly modifiedMs: number;
}

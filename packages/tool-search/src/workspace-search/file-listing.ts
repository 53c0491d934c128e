import type { LeftOut, StartFolder } from "../engine/walk/folder-sorter.js";
import type { SkipLedger } from "../engine/walk/skip-ledger.js";
import type { WalkOptions } from "../engine/walk/walk-options.js";

export interface ListRequest {
  readonly walk: WalkOptions;
  /** Where to begin, instead of the folder of `walk`: what an earlier listing left out. */
  readonly starts?: readonly StartFolder[] | undefined;
  /** Folders that are not entered, asked with their path relative to the root. */
  readonly leaveOut: (folder: string) => boolean;
  readonly callMs: number;
}

export interface FileListing {
  /** Relative to the root, in no particular order; links to files inside the workspace among them. */
  readonly files: readonly string[];
  readonly skipped: SkipLedger;
  /** What ignore files and `leaveOut` kept from being listed. */
  readonly leftOut: LeftOut;
  /** Whether a deadline or the budget of entries ended it early. */
  readonly incomplete: boolean;
}

/** A listing before the links in it are looked at. */
export interface RawListing extends FileListing {
  readonly links: readonly string[];
}

export interface FileFacts {
  readonly size: number;
  readonly modifiedMs: number;
}

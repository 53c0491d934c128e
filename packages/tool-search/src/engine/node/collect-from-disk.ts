import type { Steps } from "@haft/text/regex";
import { type CollectedLines, type Collection, collectLines } from "../search/collect-lines.js";
import type { SearchControl } from "../search/search-control.js";
import type { FileMatches } from "../search/search-outcome.js";
import type { WantedAnswer } from "../search/search-tally.js";
import { type ReadTarget, readFileInto } from "./read-file-into.js";

interface DiskCollection {
  readonly control: SearchControl;
  readonly target: ReadTarget;
  /** Where a file goes in the kernel's memory. */
  readonly at: number;
  readonly collection: Collection;
}

/** Reads files again and returns the wanted lines. A file that can no longer be read has none. */
export function* collectFromDisk({ files }: WantedAnswer, setup: DiskCollection): Steps<CollectedLines> {
  const { control, target, at, collection } = setup;
  const found: FileMatches[] = [];
  let incomplete: CollectedLines["incomplete"];
  for (const lines of files) {
    const matches = yield* control.attempt(function* () {
      const length = readFileInto(lines.path, at, target);
      return typeof length === "number" ? [yield* collectLines(collection, lines, length)] : [];
    });
    if (matches.length === 0) incomplete = "deadline";
    found.push(...matches.flat());
  }
  return { files: found, incomplete };
}

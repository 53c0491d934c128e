import { type CollectedLines, type Collection, collectLines } from "../search/collect-lines.js";
import type { SearchControl } from "../search/search-control.js";
import type { WantedAnswer } from "../search/search-tally.js";
import { type ReadTarget, readFileInto } from "./read-file-into.js";

export interface DiskCollection {
  readonly control: SearchControl;
  readonly target: ReadTarget;
  /** Where in the kernel's memory a file goes. */
  readonly at: number;
  readonly collection: Collection;
}

/** The lines that are wanted, from files that are read once more; one that cannot be read any more has none. */
export function collectFromDisk({ files }: WantedAnswer, setup: DiskCollection): CollectedLines {
  const { control, target, at, collection } = setup;
  const found = files.map((lines) =>
    control.attempt(() => {
      const length = readFileInto(lines.path, at, target);
      return typeof length === "number" ? [collectLines(collection, lines, length)] : [];
    }),
  );
  return {
    files: found.flat(2),
    incomplete: found.some((each) => each.length === 0) ? "deadline" : undefined,
  };
}

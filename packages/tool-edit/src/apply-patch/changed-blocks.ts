import type { Hunk, HunkLine } from "./patch.js";

/** Adjacent lines of a hunk that are removed or added. */
export interface ChangedBlock {
  /** The 0-based line of the file where the block is. */
  readonly first: number;
  /** The line after its last removed one; equal to `first` if it only adds. */
  readonly end: number;
  readonly added: readonly HunkLine[];
}

/** Splits a hunk found at a line into its changes. Kept lines stay as they are in the file. */
export function changedBlocks({ lines }: Pick<Hunk, "lines">, from: number): readonly ChangedBlock[] {
  const blocks: ChangedBlock[] = [];
  let open: { first: number; end: number; added: HunkLine[] } | undefined;
  let at = from;
  for (const line of lines) {
    if (line.kind === "keep") open = undefined;
    else if (open === undefined) {
      open = { first: at, end: at, added: [] };
      blocks.push(open);
    }
    if (line.kind === "add") open?.added.push(line);
    else at += 1;
    if (open !== undefined) open.end = at;
  }
  return blocks;
}

import type { FileStat, WorkspaceReader } from "@haft/core";

/** A part of a file that is already in memory. */
interface KnownBytes {
  readonly start: number;
  readonly bytes: Uint8Array;
}

/**
 * Yields a file's bytes from a position on; each chunk is valid only until the next. Uses the bytes in memory first
 * and opens the file only when needed.
 */
export async function* bytesFrom(
  start: number,
  known: KnownBytes,
  { file, workspace }: { readonly file: FileStat; readonly workspace: Pick<WorkspaceReader, "stream"> },
): AsyncIterable<Uint8Array> {
  const knownEnd = known.start + known.bytes.length;
  const isKnown = start >= known.start && start < knownEnd;
  if (isKnown) yield known.bytes.subarray(start - known.start);
  const next = isKnown ? knownEnd : start;
  if (next < file.size) yield* workspace.stream(file.path, { start: next, passing: true });
}

import type { TextFile } from "@haft/core";
import { type DiffHunk, type Hunk, isOldLine } from "./patch.js";

const MARK = "\u{FEFF}";

/** Returns whether a line of the hunks starts with a byte order mark, which git takes for text. */
export function namesMark(hunks: readonly Hunk[]): boolean {
  return hunks.some(({ lines }) => lines.some(({ text }) => text.startsWith(MARK)));
}

/**
 * Returns whether the hunks of a diff see the mark as text: they name it, or they insert lines above the first one. A
 * diff with context names the mark there, so one without means the place above it, as in git.
 */
export function seesMark({ hunks, isZeroContext }: DiffHunks): boolean {
  const isAtTop = ({ oldStart, lines }: DiffHunk): boolean => oldStart === 0 && !lines.some(isOldLine);
  return namesMark(hunks) || (isZeroContext && hunks.some(isAtTop));
}

interface DiffHunks {
  readonly hunks: readonly DiffHunk[];
  readonly isZeroContext: boolean;
}

/** Moves the byte order mark of a UTF-8 file into its text, so that hunks can keep, move and remove it. */
export function withMarkInText<File extends Pick<TextFile, "text" | "format">>(file: File): File {
  const { text, format } = file;
  if (!format.bom || format.encoding !== "utf-8") return file;
  return { ...file, text: MARK + text, format: { ...format, bom: false } };
}

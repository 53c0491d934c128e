import type { TextPlace } from "@haft/text";

/** One section of a `*** Begin Patch` block. */
export type PatchOperation =
  | { readonly kind: "add"; readonly path: string; readonly text: string }
  | { readonly kind: "delete"; readonly path: string }
  | {
      readonly kind: "update";
      readonly path: string;
      readonly moveTo?: string;
      readonly hunks: readonly MarkedHunk[];
    };

export interface MarkedHunk extends Hunk {
  /** Lines that must come somewhere before the hunk, each after the one before (`@@ class A`). */
  readonly anchors: readonly string[];
  /** The 1-based line that a `@@ -1,2 +1,2 @@` line names. Decides between several matches. */
  readonly near?: number;
  /** The hunk must be at the end of the file. */
  readonly isAtEnd: boolean;
}

/** One file of a unified diff. */
export interface FileDiff {
  readonly kind: "create" | "delete" | "modify" | "create-or-modify" | "rename" | "copy";
  /** The 1-based line of the patch where its header starts. */
  readonly line: number;
  /** The file that is read. The first name that exists counts, or the first if none does. */
  readonly from: readonly string[];
  /** The file that is written; the same as `from` unless it is a rename or a copy. */
  readonly to: readonly string[];
  /** Permission bits. */
  readonly mode?: number;
  /** Whether the diff is of a symbolic link, whose text is its target. Undefined if no mode declares it. */
  readonly isLink?: boolean;
  /** The patch lost its carriage returns, so a file with CRLF line endings gets them for its added lines too. */
  readonly lostReturns?: boolean;
  readonly hunks: readonly DiffHunk[];
}

export interface DiffHunk extends Hunk {
  readonly oldStart: number;
  readonly newStart: number;
}

export interface Hunk {
  /** How messages name the hunk. */
  readonly label: string;
  readonly lines: readonly HunkLine[];
}

export interface HunkLine {
  readonly kind: "keep" | "remove" | "add";
  /** In a unified diff a carriage return before the line feed is part of the text. */
  readonly text: string;
  /** The line has no line ending (`\ No newline at end of file`). */
  readonly isOpen?: boolean;
}

export const HUNK_LINE_KINDS: ReadonlyMap<string, HunkLine["kind"]> = new Map([
  [" ", "keep"],
  ["-", "remove"],
  ["+", "add"],
]);

export function oldLines(hunk: Hunk): readonly HunkLine[] {
  return hunk.lines.filter(isOldLine);
}

export function isOldLine({ kind }: HunkLine): boolean {
  return kind !== "add";
}

export function isNewLine({ kind }: HunkLine): boolean {
  return kind !== "remove";
}

/** Says where hunks are by their old lines alone. */
export function placeOfHunks(hunks: readonly Hunk[]): TextPlace {
  return {
    find: hunks.map((hunk) =>
      oldLines(hunk)
        .map(({ text }) => text)
        .join("\n"),
    ),
  };
}

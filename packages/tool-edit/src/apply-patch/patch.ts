/** A patch in either grammar, as what it asks for. */
export type PatchOperation =
  | { readonly kind: "add"; readonly path: string; readonly text: string; readonly mode?: number }
  | { readonly kind: "delete"; readonly path: string }
  | {
      readonly kind: "copy";
      readonly path: string;
      readonly copyTo: string;
      readonly hunks: readonly Hunk[];
      readonly mode?: number;
    }
  | {
      readonly kind: "update";
      readonly path: string;
      readonly moveTo?: string;
      readonly hunks: readonly Hunk[];
      readonly mode?: number;
    };

export interface Hunk {
  /** How the patch names it, for messages. */
  readonly label: string;
  /** Lines that must come somewhere before the hunk, each after the one before (`@@ class A`). */
  readonly anchors: readonly string[];
  readonly lines: readonly HunkLine[];
  /** The 1-based line where a unified diff says it starts. */
  readonly oldStart?: number;
  /** The hunk must be at the end of the file. */
  readonly isAtEnd: boolean;
  /** What a unified diff says about the end of the file without a line ending. */
  readonly oldEndsOpen?: boolean;
  readonly newEndsOpen?: boolean;
}

export interface HunkLine {
  readonly kind: "keep" | "remove" | "add";
  readonly text: string;
}

export function oldLines(hunk: Hunk): readonly string[] {
  return hunk.lines.filter(({ kind }) => kind !== "add").map(({ text }) => text);
}

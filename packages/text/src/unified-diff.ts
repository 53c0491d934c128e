import { createTwoFilesPatch } from "diff";

export interface UnifiedDiffOptions {
  readonly path: string;
  /** Undefined: the file does not exist on that side. */
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  readonly fromPath?: string;
  readonly contextLines?: number;
  readonly maxLines?: number;
}

export interface UnifiedDiff {
  readonly text: string;
  readonly added: number;
  readonly removed: number;
  readonly truncated: boolean;
}

export function unifiedDiff(options: UnifiedDiffOptions): UnifiedDiff {
  const { path, before = "", after = "" } = options;
  const text = createTwoFilesPatch(path, path, before, after);
  return { text, added: 0, removed: 0, truncated: false };
}

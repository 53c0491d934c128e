import { countLines } from "@haft/text";
import { invalidPatch } from "./invalid-patch.js";
import { parseMarkedPatch } from "./parse-marked-patch.js";
import { parseUnifiedDiff } from "./parse-unified-diff.js";
import type { FileDiff, PatchOperation } from "./patch.js";

export type Patch =
  | { readonly grammar: "marked"; readonly operations: readonly PatchOperation[] }
  | UnifiedPatch;

export interface UnifiedPatch {
  readonly grammar: "unified";
  readonly files: readonly FileDiff[];
  /** Every line of the patch ends in CRLF, so it may have been converted as a whole. */
  readonly isConverted: boolean;
}

/** Parses a `*** Begin Patch` block or a unified diff. Throws unless it understands every line. */
export function parsePatch(text: string): Patch {
  if (countLines(text) > MAX_LINES)
    throw invalidPatch(
      `it has more than ${MAX_LINES} lines; send it in parts, or use write_file for a new file`,
    );
  const lines = withoutWrapper(text.split("\n"));
  const first = lines.find((line) => line.trim() !== "") ?? "";
  if (MARKER.test(first.trim()) || lines.some((line) => MARKER.test(line))) {
    const operations = parseMarkedPatch(lines.map(withoutReturn));
    if (operations.length > 0) return { grammar: "marked", operations };
  } else {
    const isConverted = lines.every((line) => line.endsWith("\r") || line === "");
    const files = parseUnifiedDiff(isConverted ? lines.map(asContext) : lines);
    if (files.length > 0) return { grammar: "unified", files, isConverted };
  }
  throw invalidPatch("it changes no file");
}

// Parsing this many lines takes a tenth of a second.
const MAX_LINES = 400_000;

const MARKER = /^\*\*\* (?:Begin Patch|End Patch|(?:Add|Update|Delete) File: )/;

/** An empty context line may have lost its space. Before LF it is read as one anyway. */
function asContext(line: string): string {
  return line === "\r" ? " \r" : line;
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}

/** Blanks the lines of a heredoc or Markdown fence around a patch, so that line numbers stay correct. */
function withoutWrapper(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line.trim() !== "");
  const last = lines.findLastIndex((line) => line.trim() !== "");
  const opening = lines[first]?.trim() ?? "";
  const word = HEREDOC.exec(opening)?.[2] ?? (FENCE.test(opening) ? "```" : undefined);
  if (word === undefined || last <= first || lines[last]?.trim() !== word) return lines;
  return lines.map((line, index) => (index === first || index === last ? "" : line));
}

const HEREDOC = /^(?:(?:apply_?patch|git apply|patch(?: -p\d)?) ?)?<<-? ?(['"]?)(\w+)\1$/;
const FENCE = /^```(?:diff|patch|udiff)?$/;

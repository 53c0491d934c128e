import type { ChangeSummary, RenderFacts } from "@haft/core";
import { countOf } from "../describe-size.js";
import type { WriteResult } from "./write-schema.js";

/** The text of the tools that write a whole file. */
export function renderWrite(value: WriteResult, facts: RenderFacts<unknown>): string {
  const path = facts.showPath(value.path);
  const size = countOf(value.bytesWritten, "byte");
  if (!value.changed) return `${facts.preview ? "[Dry Run] " : ""}${path}: file already has this content`;
  if (facts.preview) return withDiffs(`[Dry Run] Would write ${size} to ${path}`, facts.changes);
  return `Successfully wrote ${size} to ${path}${value.created ? " (new file)" : ""}`;
}

/** The same for a tool that adds to a file. */
export function renderAppend(value: WriteResult, facts: RenderFacts<unknown>): string {
  const path = facts.showPath(value.path);
  const size = countOf(value.bytesWritten, "byte");
  if (!value.changed) return `${facts.preview ? "[Dry Run] " : ""}${path}: nothing was added`;
  if (facts.preview) return withDiffs(`[Dry Run] Would append ${size} to ${path}`, facts.changes);
  const now = value.created ? "new file" : `now ${countOf(value.size, "byte")}`;
  return `Appended ${size} to ${path} (${now})`;
}

function withDiffs(line: string, changes: readonly ChangeSummary[]): string {
  const diffs = changes.flatMap(({ diff }) => (diff === undefined ? [] : [diff.trimEnd()]));
  return [line, ...diffs].join("\n");
}
